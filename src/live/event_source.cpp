#include "live/event_source.h"

#include <chrono>
#include <string>

namespace weir::live {
namespace {

/// The interval of comments without news. They let the server notice a page that has gone, and keep
/// Timeouts::handler from running out.
constexpr std::chrono::seconds heartbeat{15};
/// The time in milliseconds after which a page connects again.
constexpr std::string_view retry = "retry: 1000\n";

std::string event(std::string_view name, const Version& version) {
    const std::string text = version.text();
    std::string out = "event: ";
    out.append(name).append("\nid: ").append(text).append("\ndata: ").append(text).append("\n\n");
    return out;
}

}  // namespace

http::Source::Pulled EventSource::pull(std::span<char> into) {
    if (given_ == text_.size()) {
        if (place_.feed().news().has_ended()) return End{};
        tell();
    }
    return given_ == text_.size() ? Pulled{NotReady{}} : give(into);
}

/// Makes the text of the next event or comment; empty if there is none.
void EventSource::tell() {
    const Version now = place_.feed().news().version();
    text_.clear();
    given_ = 0;
    if (!has_begun_)
        text_ = std::string{retry} + event("hello", now);
    else if (now != told_)
        text_ = event(now.pages != told_.pages ? "reload" : "css", now);
    else if (place_.waker().now() >= due_)
        text_ = ":\n\n";
    has_begun_ = true;
    told_ = now;
}

/// The peer may take less than a whole event at a time (RFC 9113 5.2).
http::Source::Pulled EventSource::give(std::span<char> into) {
    due_ = place_.waker().now() + heartbeat;
    const std::size_t size = text_.copy(into.data(), into.size(), given_);
    given_ += size;
    return Ready{size};
}

}  // namespace weir::live

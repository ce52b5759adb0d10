#include "live/event_source.h"

#include <chrono>
#include <string>

namespace weir::live {
namespace {

/// Without news: so the server notices a page that has gone, and Timeouts::handler does not run out.
constexpr std::chrono::seconds heartbeat{15};
/// How long a page waits before it connects again.
constexpr std::string_view retry = "retry: 1000\n";

std::string event(std::string_view name, const Version& version) {
    const std::string text = version.text();
    std::string out = "event: ";
    out.append(name).append("\nid: ").append(text).append("\ndata: ").append(text).append("\n\n");
    return out;
}

}  // namespace

http::Source::Pulled EventSource::pull(std::span<char> into) {
    const News& news = place_.feed().news();
    if (news.has_ended()) return End{};
    const Version now = news.version();
    if (!has_begun_) {
        has_begun_ = true;
        told_ = now;
        return give(std::string{retry} + event("hello", now), into);
    }
    if (now != told_) {
        const std::string_view name = now.pages != told_.pages ? "reload" : "css";
        told_ = now;
        return give(event(name, now), into);
    }
    if (place_.waker().now() >= due_) return give(":\n\n", into);
    return NotReady{};
}

http::Source::Pulled EventSource::give(std::string_view text, std::span<char> into) {
    due_ = place_.waker().now() + heartbeat;
    return Ready{text.copy(into.data(), into.size())};
}

}  // namespace weir::live

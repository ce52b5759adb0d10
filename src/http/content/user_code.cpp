#include "http/content/user_code.h"

#include <exception>
#include <new>

#include "base/troubles.h"
#include "weir/http/tunnel.h"

namespace weir::http {
namespace {

/// A peer can always be told as much.
Response apology() noexcept try {
    return error_response(Status::internal_server_error);
} catch (const std::bad_alloc&) {
    return Response{Status::internal_server_error};
}

Source::Pulled last_word_of(Source& tunnel, std::span<char> into) noexcept try {
    return tunnel.pull(into);
} catch (...) {
    return Source::Failed{};
}

}  // namespace

std::string UserCode::name_of(const Request& request) {
    std::string name{request.method_text()};
    name += ' ';
    name += request.target();
    return name;
}

/// Of the exception that is being handled.
void UserCode::tell(std::string_view code) const noexcept try {
    if (observer_ == nullptr) return;
    const std::string name = request_ != nullptr ? name_of(*request_) : std::string{name_};
    observer_->failed(code, name, std::current_exception());
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

template <typename Call>
Reply UserCode::reply_of(Call call) const noexcept {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        return Response{Status::service_unavailable};
    } catch (...) {
        tell("the handler");
        return apology();
    }
}

Reply UserCode::handle(Handler& handler) const noexcept {
    return reply_of([&] { return handler.handle(*request_); });
}

Reply UserCode::resume(Continuation& continuation) const noexcept {
    return reply_of([&] { return continuation.resume(); });
}

Sink::Taken UserCode::take(Sink& sink, std::string_view bytes) const noexcept try {
    return sink.take(bytes);
} catch (...) {
    tell("a sink");
    return Sink::Taken::failed;
}

/// A tunnel is asked again after it threw: it may have a last word for its peer.
Source::Pulled UserCode::pull(Source& source, std::span<char> into) const noexcept try {
    return source.pull(into);
} catch (...) {
    if (source.tunnel() == nullptr) {
        tell("a source");
        return Source::Failed{};
    }
    tell("a tunnel");
    return last_word_of(source, into);
}

bool UserCode::ask_size(const Source& source, std::optional<std::uint64_t>& size) const noexcept
    try {
    size = source.size();
    return true;
} catch (...) {
    tell("a source");
    return false;
}

}  // namespace weir::http

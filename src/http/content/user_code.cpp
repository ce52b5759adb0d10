#include "http/content/user_code.h"

#include <exception>
#include <new>
#include <utility>

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

std::string failure_text(std::string_view what, std::string_view request,
                         std::exception_ptr cause) {
    std::string text{what};
    text.append(" for ").append(request);
    if (!cause) return text;
    text += ": ";
    try {
        std::rethrow_exception(std::move(cause));
    } catch (const std::exception& thrown) {
        text += thrown.what();
    } catch (...) {
        text += "an exception of unknown type";
    }
    return text;
}

std::string UserCode::name_of(const Request& request) {
    std::string name{request.method_text()};
    name += ' ';
    name += request.target();
    return name;
}

void UserCode::tell(std::string_view what, std::exception_ptr cause) const noexcept try {
    if (observer_ == nullptr) return;
    const std::string name = request_ != nullptr ? name_of(*request_) : std::string{name_};
    observer_->failed(what, name, std::move(cause));
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

/// Of the exception that is being handled.
void UserCode::tell_thrown(std::string_view what) const noexcept {
    tell(what, std::current_exception());
}

template <typename Call>
Reply UserCode::reply_of(Call call) const noexcept {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        troubles().note(Trouble::memory);
        return Response{Status::service_unavailable};
    } catch (Failure& failure) {
        tell(failure.text, failure.cause);
        return std::move(failure.response);
    } catch (...) {
        tell_thrown("the handler threw an exception");
        return apology();
    }
}

[[gnu::flatten]] Reply UserCode::handle(Handler& handler) const noexcept {
    return reply_of([&] { return handler.handle(*request_); });
}

Reply UserCode::resume(Continuation& continuation) const noexcept {
    return reply_of([&] { return continuation.resume(); });
}

Sink::Taken UserCode::take(Sink& sink, std::string_view bytes) const noexcept try {
    return sink.take(bytes);
} catch (...) {
    tell_thrown("a sink threw an exception");
    return Sink::Taken::failed;
}

/// A tunnel is asked again after it threw: it may have a last word for its peer.
Source::Pulled UserCode::pull(Source& source, std::span<char> into) const noexcept try {
    return source.pull(into);
} catch (...) {
    if (source.tunnel() == nullptr) {
        tell_thrown("a source threw an exception");
        return Source::Failed{};
    }
    tell_thrown("a tunnel threw an exception");
    return last_word_of(source, into);
}

bool UserCode::ask_size(const Source& source, std::optional<std::uint64_t>& size) const noexcept
    try {
    size = source.size();
    return true;
} catch (...) {
    tell_thrown("a source threw an exception");
    return false;
}

std::optional<Response> UserCode::own_refusal(const FaultAnswer& said,
                                              Continuation* continuation) const {
    if (continuation != nullptr) return continuation->refused(said.status, said.text);
    // In other cases, a handler may be using the request, on another thread.
    const bool waits_for_content =
        said.fault == Fault::content_too_long || said.fault == Fault::content_too_slow;
    if (!waits_for_content) return std::nullopt;
    const auto attached = request_->take_attachment();
    return attached ? attached->refused(said.status, said.text) : std::nullopt;
}

Response UserCode::refusal(Fault fault, Continuation* continuation) const {
    const FaultAnswer& said = answer_to(fault);
    if (fault == Fault::handler_too_slow) tell("the handler took too long", nullptr);
    try {
        if (auto own = own_refusal(said, continuation)) return std::move(*own);
    } catch (Failure& failure) {
        tell(failure.text, failure.cause);
        return std::move(failure.response);
    } catch (...) {
        tell_thrown("the handler threw an exception");
    }
    return error_response(said.status, said.text);
}

}  // namespace weir::http

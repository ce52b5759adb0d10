// Http2Connection: requests that go on after their handler has returned.

#include <algorithm>
#include <utility>

#include "http/http2/http2_connection.h"

namespace weir::http {

void Http2Connection::start_continuation(Stream& stream, Later&& later) {
    stream.continuation = std::move(later.continuation);
    on<Event::waits>(stream);
    if (stream.continuation) go_on(stream);
}

/// Resumes the continuation once, and follows its reply. The stream may have its response afterwards.
void Http2Connection::go_on(Stream& stream) {
    Reply reply = user_code(stream).resume(*stream.continuation);
    if (auto* response = std::get_if<Response>(&reply)) {
        const auto finished =
            std::move(stream.continuation);  // destroyed after its response was taken
        stream.at_handler = false;
        stream.content_in.cut();
        return answer(stream, std::move(*response));
    }
    if (std::holds_alternative<Later>(reply)) return hasten(stream);
    auto* streamed = std::get_if<StreamContent>(&reply);
    if (stream.phase == Phase::handling)
        return begin_content(stream, streamed ? std::move(streamed->sink) : nullptr);
    hasten(stream);
    resume_content(stream);
}

/// Lets the source go on once the kernel has all of its output.
void Http2Connection::wake_source(Stream& stream) {
    stream.source_woken = stream.content_sent != stream.content_rendered;
    if (stream.source_woken) return;
    stream.content->wake();
    if (stream.phase == Phase::stalled) on<Event::woken>(stream);
    queue(stream);
}

/// The kernel has taken more of the content.
void Http2Connection::note_sent(Stream& stream) {
    if (!stream.content || !stream.content->waits_for_wake()) return;
    if (stream.source_woken || stream.wake_at() <= now_.instant) return wake_source(stream);
    hasten(stream);
}

/// Whether the deadline that has passed was that of wake_at().
bool Http2Connection::is_resumed(Stream& stream) {
    if (now_.instant >= stream.timer_by || now_.instant < stream.wake_at()) return false;
    stream.continuation ? go_on(stream) : wake_source(stream);
    return true;
}

/// Computes the stream's deadline again.
void Http2Connection::hasten(Stream& stream) noexcept {
    stream.deadline = std::min(stream.timer_by, stream.wake_at());
    due_.streams = std::min(due_.streams, stream.deadline);
}

}  // namespace weir::http

// Http2Connection: requests that go on after their handler has returned.

#include <algorithm>
#include <utility>

#include "http/content/resume.h"
#include "http/http2/http2_connection.h"

namespace weir::http {

void Http2Connection::follow(Stream& stream, Later&& later) {
    stream.continuation = std::move(later.continuation);
    arm(stream, Stream::Timer::handler);
    go_on(stream);
}

/// Asks the continuation once. What it says may have it asked again, here.
void Http2Connection::go_on(Stream& stream) {
    Reply reply = resume(*stream.continuation);
    if (auto* response = std::get_if<Response>(&reply)) {
        const auto finished = std::move(stream.continuation);  // it goes after its answer was taken
        if (stream.sink) std::exchange(stream.sink, nullptr)->cut();
        return answer(stream, std::move(*response));
    }
    if (std::holds_alternative<Later>(reply)) return watch(stream);
    auto* const wanted = std::get_if<StreamContent>(&reply);
    if (stream.phase == Stream::Phase::handling)
        return begin_content(stream, wanted != nullptr ? std::move(wanted->sink) : nullptr);
    if (std::exchange(stream.sink_pauses, false)) return deliver_content(stream);
    watch(stream);
}

void Http2Connection::cut_continuation(Stream& stream) noexcept {
    if (stream.continuation) std::exchange(stream.continuation, nullptr)->cut();
}

/// A source waits at least until the peer has got what it gave.
Instant Http2Connection::resumed_at(const Stream& stream) const noexcept {
    if (stream.content) return output_.empty() ? stream.content->due() : never;
    return stream.continuation ? stream.continuation->due() : never;
}

/// The times may have changed.
void Http2Connection::watch(Stream& stream) noexcept {
    stream.deadline = std::min(stream.timeout, resumed_at(stream));
    streams_deadline_ = std::min(streams_deadline_, stream.deadline);
}

void Http2Connection::resume_at_time(Stream& stream) {
    if (now_.instant < resumed_at(stream)) return watch(stream);
    if (!stream.content) return go_on(stream);
    stream.content->wake();
    queue(stream);
}

/// All is sent that the sources have given.
void Http2Connection::resume_sources() {
    source_waits_ = false;
    for (const auto& stream : streams_) {
        if (!stream->is_awaited || !stream->content || !stream->content->waits_for_wake()) continue;
        source_waits_ = true;
        resume_at_time(*stream);
    }
}

}  // namespace weir::http

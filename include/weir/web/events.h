#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/web/stream.h"

namespace weir::web {

/// One server-sent event (HTML Standard, 9.2). A line feed in the data makes a further data line.
struct Event {
    std::string_view data{};
    std::string_view name{};  // "message" if empty; without line ends
    std::string_view id{};    // the browser's Last-Event-ID; without line ends and NUL
    /// How long the browser waits before it connects again. Not sent unless it is positive.
    std::optional<std::chrono::milliseconds> retry{};
};

class Topics;

namespace detail {

class Outbox;
/// Throws std::invalid_argument for a name or an id with a line end.
void check(const Event& event);
/// The same. The bytes of the event.
std::string rendered(const Event& event);

}  // namespace detail

/// The events for one peer; see events(). Movable, as a Stream.
class Events {
   public:
    explicit Events(std::shared_ptr<detail::Outflow> outflow) noexcept
        : stream_{std::move(outflow)} {}

    /// `co_await events.send({.data = "42"})`: returns when the kernel has taken the event. Throws
    /// std::invalid_argument for a name or an id with a line end.
    detail::Write send(const Event& event) { return {*stream_.outflow_, detail::rendered(event)}; }
    /// The same for callbacks, from any thread; see Stream::write().
    template <typename Callback>
    void send(const Event& event, Callback done) {
        stream_.write(detail::rendered(event), std::move(done));
    }
    /// Ends the events: the browser connects again after its retry time.
    void end() noexcept { stream_.end(); }
    /// `co_await events.stopping()`: waits until the events end, for a coroutine that leaves them
    /// to Topics. If the peer leaves or the server stops, the coroutine ends there.
    detail::StreamStop stopping() const noexcept { return stream_.stopping(); }
    std::stop_token stop_token() const noexcept { return stream_.stop_token(); }

   private:
    friend Topics;
    std::shared_ptr<detail::Outbox> outbox() const;

    Stream stream_;
};

struct EventOptions {
    /// An empty comment is sent when nothing was sent for this time. It makes proxies keep the
    /// connection open, and lets the server notice a peer that has left without a word. 0: none.
    std::chrono::milliseconds heartbeat{15'000};
    /// The limit of the events of Topics in the queue, in bytes.
    std::size_t queue_bytes_max = 1024 * 1024;
};

/// Responds with server-sent events. `give` is `Task<>(Events)` or `void(Events)`; see stream(). When
/// the server stops, the events end: the coroutine ends where it waits, and the browser connects
/// again.
/// The fields Cache-Control and X-Accel-Buffering keep caches and nginx from storing the events.
template <typename Give>
Response events(const Call& call, Give give, EventOptions options = {}) {
    Response response = detail::stream_of(
        call, "text/event-stream",
        std::make_unique<detail::ProducerOf<Events, Give>>(std::move(give)), {}, &options);
    response.add("Cache-Control", "no-cache").add("X-Accel-Buffering", "no");
    return response;
}

/// The id of the last event that the browser got before it connected again; empty if there is none.
inline std::string_view last_event_id(const Call& call) noexcept {
    return call.field("Last-Event-ID").value_or("");
}

}  // namespace weir::web

#pragma once

#include <chrono>
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
    std::string_view id{};    // what the browser sends as Last-Event-ID; without line ends and NUL
    /// How long the browser waits before it connects again.
    std::optional<std::chrono::milliseconds> retry{};
};

/// The events that one peer listens to; see events(). Movable, as a Stream.
class Events {
   public:
    explicit Events(std::shared_ptr<detail::Outflow> outflow) noexcept
        : stream_{std::move(outflow)} {}

    /// `co_await events.send({.data = "42"})`: returns when the kernel has taken it. Throws
    /// std::invalid_argument for a name or an id with a line end.
    detail::Write send(const Event& event) { return {*stream_.outflow_, rendered(event)}; }
    /// The same for callbacks, from any thread; see Stream::write().
    template <typename Callback>
    void send(const Event& event, Callback done) {
        stream_.write(rendered(event), std::move(done));
    }
    /// No further events: the browser connects again after its retry time.
    void end() noexcept { stream_.end(); }
    std::stop_token stop_token() const noexcept { return stream_.stop_token(); }

   private:
    static std::string rendered(const Event& event);

    Stream stream_;
};

struct EventOptions {
    /// An empty comment is sent whenever nothing was sent for so long. So proxies keep the connection
    /// open, the server notices a peer that has gone, and http::Timeouts::handler does not run out. 0:
    /// none.
    std::chrono::milliseconds heartbeat{15'000};
};

/// Answers with server-sent events. `give` is `Task<>(Events)` or `void(Events)`; see stream(). No cache
/// and no nginx in front keeps them (Cache-Control, X-Accel-Buffering).
template <typename Give>
Response events(const Call& call, Give give, EventOptions options = {}) {
    Response response =
        detail::stream_of(call, "text/event-stream",
                          std::make_unique<detail::ProducerOf<Events, Give>>(std::move(give)),
                          Status::ok, options.heartbeat);
    response.add("Cache-Control", "no-cache").add("X-Accel-Buffering", "no");
    return response;
}

/// The id of the last event that the browser has seen before it connected again; empty if none.
inline std::string_view last_event_id(const Call& call) noexcept {
    return call.field("Last-Event-ID").value_or("");
}

}  // namespace weir::web

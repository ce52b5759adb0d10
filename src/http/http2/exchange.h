#pragma once

#include <memory>
#include <string_view>

#include "http/frames/output_queue.h"
#include "http/http2/session.h"
#include "http/syntax/fault.h"

namespace weir::http::http2 {

/// One request and its response on a stream: each function is an event, from the host or from the peer,
/// and may end the stream. So no function of the object follows it.
class Exchange {
   public:
    Exchange(Session& session, Stream& stream) noexcept : session_{session}, stream_{stream} {}

    // exchange.cpp. The stream's request is at a handler.
    void respond(Reply&& reply);
    void wake();
    void retire();
    /// The stream's deadline has passed.
    void expire();
    /// The kernel has taken more of the response.
    void sent(const OutputQueue::Mark& mark);
    /// Refuses the request with the response for `fault`: the peer broke a rule or a limit, or a
    /// handler took too long.
    void refuse(Fault fault);

    // exchange_content.cpp. The stream is awaited, and its content has no wrong length.
    void take_content(std::string_view bytes);
    void end_of_content();

   private:
    // exchange.cpp
    void start_continuation(Later&& later);
    void go_on();
    bool is_resumed();
    void answer(Response&& response);
    void begin_answer(Response&& response);
    void begin_tunnel(Response&& response);
    void answer_sent();
    bool meets_min_rate() noexcept;
    bool is_blocked() const noexcept;

    // exchange_content.cpp
    void begin_content(Reply&& reply);
    void deliver_content();
    bool pass_on(std::string_view bytes);
    bool pause();
    void resume_content();
    void await_content() noexcept;

    Session& session_;
    Stream& stream_;
};

}  // namespace weir::http::http2

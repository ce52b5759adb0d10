#pragma once

#include <cstdint>
#include <string_view>

#include "http/http1/session.h"
#include "http/workspace.h"
#include "weir/http/connection.h"

namespace weir::http {

/// HTTP/1.1 and HTTP/1.0 (RFC 9112): one request at a time, responses in order.
///
/// A table of phases and events has the next step (http1_states.h). Pipelined requests stay in the
/// input until their turn comes, and small responses gather in the output until the input is used up:
/// one send for all of them.
///
/// Each file has a part of the way: receiver.h (bytes to requests), exchange.h (events of the request in
/// hand), sender.h (responses to bytes), tunnel_phase.h (another protocol). Session is the state
/// between them. This class has the contract, the deadlines and the end of the connection.
class Http1Connection final : public http1::Session {
   public:
    Http1Connection(Workspace& workspace, Origin& origin, Now now);
    ~Http1Connection() override;

   private:
    using Event = http1::Event;
    using Phase = http1::Phase;
    using Timer = http1::Timer;

    CloseImpact do_close_impact() const noexcept override;
    const Request& do_take_request() override;
    bool do_awaits(RequestId id) const noexcept override;
    Transmission do_transmit() override;
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_respond(RequestId id, Reply&& reply, Now now) override;
    void do_wake(RequestId id, Now now) override;
    void do_transmitted(std::uint64_t size, Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override;
    void do_retire(Now now) override;
    void do_fail(Outcome why, Now now) override;
    void do_take_ownership(Now now) override;
    void do_run_out(Now now) noexcept override;
};

}  // namespace weir::http

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/workspace.h"
#include "weir/http/connection.h"

namespace weir::http {

/// A connection whose first bytes choose its protocol: HTTP/2 if they are its preface, which is no
/// request of HTTP/1.1 (RFC 9113 3.3 and 3.4), else HTTP/1.1. Afterwards it forwards every call.
class PriorKnowledge final : public Connection {
   public:
    PriorKnowledge(Workspace& workspace, Origin& origin, Now now);
    ~PriorKnowledge() override;

   private:
    CloseImpact do_close_impact() const noexcept override { return inner_->close_impact(); }
    const Request& do_take_request() override;
    bool do_awaits(RequestId id) const noexcept override { return inner_->awaits(id); }
    Transmission do_transmit() override { return inner_->transmit(); }
    void do_receive(std::string_view bytes, Now now) override;
    void do_receive_end(Now now) override;
    void do_respond(RequestId id, Reply&& reply, Now now) override;
    void do_wake(RequestId id, Now now) override;
    void do_transmitted(std::uint64_t size, Now now) override;
    void do_expire(Now now, std::uint64_t queued) override;
    void do_turn_away(Now now) override;
    void do_evict(Now now) override;
    void do_retire(Now now) override;
    void do_fail(Outcome why, Now now) override;
    void do_take_ownership(Now now) override;

    /// Takes over the step and the deadline of the protocol.
    void show() noexcept;

    Workspace& workspace_;
    Origin& origin_;
    std::unique_ptr<Connection> inner_;  // HTTP/1.1, until the preface is complete
    std::string preface_;                // the received part, if it is incomplete
    bool is_chosen_ = false;
    bool is_retired_ = false;
};

}  // namespace weir::http

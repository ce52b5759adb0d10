#pragma once

#include <memory>
#include <utility>

#include "weir/http/connection.h"

namespace weir::http {

/// A connection that passes every call on to another connection, `inner_`, and shows the step of
/// `inner_` as its own. A derived class reads the first bytes and then makes `inner_`; it overrides
/// the calls that come before.
class PassingOn : public Connection {
   protected:
    /// Copies the state of `inner_`. Call it after each call of `inner_`.
    void show() noexcept {
        step_ = inner_->step();
        deadline_ = inner_->deadline();
        resets_ = inner_->resets();
    }

    CloseImpact do_close_impact() const noexcept override { return inner_->close_impact(); }
    const Request& do_take_request() override {
        const Request& request = inner_->take_request();
        show();
        return request;
    }
    bool do_awaits(RequestId id) const noexcept override { return inner_->awaits(id); }
    Transmission do_transmit() override { return inner_->transmit(); }
    void do_receive(std::string_view bytes, Now now) override {
        inner_->receive(bytes, now);
        show();
    }
    void do_receive_end(Now now) override {
        inner_->receive_end(now);
        show();
    }
    void do_respond(RequestId id, Reply&& reply, Now now) override {
        inner_->respond(id, std::move(reply), now);
        show();
    }
    void do_wake(RequestId id, Now now) override {
        inner_->wake(id, now);
        show();
    }
    void do_transmitted(std::uint64_t size, Now now) override {
        inner_->transmitted(size, now);
        show();
    }
    void do_expire(Now now, std::uint64_t queued) override {
        inner_->expire(now, queued);
        show();
    }
    void do_turn_away(Now now) override {
        inner_->turn_away(now);
        show();
    }
    void do_evict(Now now) override {
        inner_->evict(now);
        show();
    }
    void do_retire(Now now) override {
        inner_->retire(now);
        show();
    }
    void do_fail(Outcome why, Now now) override {
        inner_->fail(why, now);
        show();
    }
    void do_take_ownership(Now now) override {
        inner_->take_ownership(now);
        show();
    }

    std::unique_ptr<Connection> inner_;
};

}  // namespace weir::http

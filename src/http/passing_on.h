#pragma once

#include <memory>
#include <utility>

#include "weir/http/connection.h"

namespace weir::http {

/// A connection that passes every call on to another one, `inner_`, and shows that one's step as its
/// own. A class that looks at the first bytes derives from it, and overrides what must not be passed
/// on before it has made `inner_`.
class PassingOn : public Connection {
   protected:
    /// After each call of `inner_`.
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
    void do_settle(Now now) override {
        inner_->settle(now);
        show();
    }

    std::unique_ptr<Connection> inner_;
};

}  // namespace weir::http

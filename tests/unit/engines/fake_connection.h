#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "weir/http/connection.h"

namespace weir::engines {

/// Takes down what an engine tells it, and says what the test wants it to say.
class FakeConnection final : public http::Connection {
   public:
    void step(http::Step next) { step_ = next; }
    /// At `transmit`, with this to send.
    void sends(const http::Transmission& what) {
        step_ = http::Step::transmit;
        transmission = what;
    }
    using http::Connection::step;
    void deadline(Instant when) { deadline_ = when; }
    using http::Connection::deadline;

    http::CloseImpact impact = http::CloseImpact::working;
    http::Step leaves_at = http::Step::close;  // where it is evicted
    std::string log;
    http::Transmission transmission;
    std::optional<http::Outcome> failed;
    std::optional<http::RequestId> canceled;

   private:
    http::CloseImpact do_close_impact() const noexcept override { return impact; }
    const http::Request& do_take_request() override { std::abort(); }
    bool do_awaits(http::RequestId id) const noexcept override { return canceled != id; }
    http::Transmission do_transmit() override { return transmission; }
    void do_receive(std::string_view bytes, Now) override { log.append(bytes); }
    void do_receive_end(Now) override { log += "<end>"; }
    void do_respond(http::RequestId, http::Reply&&, Now) override { log += "<respond>"; }
    void do_wake(http::RequestId, Now) override { log += "<wake>"; }
    void do_transmitted(std::uint64_t size, Now) override {
        log += "<transmitted " + std::to_string(size) + ">";
    }
    void do_expire(Now, std::uint64_t) override { log += "<expire>"; }
    void do_turn_away(Now) override { log += "<turn away>"; }
    void do_evict(Now) override {
        log += "<evict>";
        impact = http::CloseImpact::leaving;
        step_ = leaves_at;
    }
    void do_retire(Now) override { log += "<retire>"; }
    void do_fail(http::Outcome why, Now) override {
        failed = why;
        step_ = http::Step::close;
    }
    void do_take_ownership(Now /*now*/) override { log += "<take_ownership>"; }
};

}  // namespace weir::engines

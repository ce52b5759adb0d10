#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "http/connection.h"

namespace weir::engines {

/// Takes down what an engine tells it, and says what the test wants it to say.
class FakeConnection final : public http::Connection {
   public:
    void receive(std::string_view bytes, Now) override { log.append(bytes); }
    void receive_end(Now) override { log += "<end>"; }
    const http::Request& take_request() override { std::abort(); }
    void respond(http::Reply&&, Now) override { log += "<respond>"; }
    void wake(Now) override { log += "<wake>"; }
    http::Transmission transmit() override { return transmission; }
    void transmitted(std::uint64_t size, Now) override {
        log += "<transmitted " + std::to_string(size) + ">";
    }
    void expire(Now) override { log += "<expire>"; }
    void turn_away(Now) override { log += "<turn away>"; }
    void retire(Now) override { log += "<retire>"; }
    void fail(http::Outcome why, Now) override { failed = why; }
    void settle() override { log += "<settle>"; }

    void deadline(Instant when) { deadline_ = when; }

    std::string log;
    http::Transmission transmission;
    std::optional<http::Outcome> failed;
};

}  // namespace weir::engines

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "support/counted_store.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/session.h"

namespace weir::web {

/// A program with sessions, and a browser with a cookie.
struct SessionFixture : ::testing::Test {
    std::chrono::sys_seconds now{std::chrono::seconds{1'000'000'000}};
    std::shared_ptr<tests::CountedStore> store = std::make_shared<tests::CountedStore>();
    Router router;
    Probe probe{router};
    std::string cookie{};  // "session=..."; empty: none

    SessionFixture() {
        router.get("/read/{key}", [](const Call& call) {
            return std::string{Session::of(call).get(call.parameter("key")).value_or("nothing")};
        });
        router.get("/set/{key}/{value}", [](const Call& call) {
            Session::of(call).set(call.parameter("key"), std::string{call.parameter("value")});
            return "set";
        });
        router.get("/remove/{key}", [](const Call& call) {
            Session::of(call).remove(call.parameter("key"));
            return "removed";
        });
        router.get("/clear", [](const Call& call) {
            Session::of(call).clear();
            return "cleared";
        });
        router.get("/renew", [](const Call& call) {
            Session::of(call).renew();
            return "renewed";
        });
    }
    void use(SessionOptions options = {}) {
        options.clock = [this] { return now; };
        router.use(sessions(store, std::move(options)));
    }

    /// Keeps the cookie of the response.
    Probe::Answer get(std::string_view target) {
        auto answer = probe.get(target, fields());
        keep(answer);
        return answer;
    }
    std::string read(std::string_view key) { return get("/read/" + std::string{key}).content; }
    Probe::Fields fields() const {
        return cookie.empty() ? Probe::Fields{} : Probe::Fields{{"Cookie", cookie}};
    }
    void keep(const Probe::Answer& answer) {
        const std::string_view line = answer.field("Set-Cookie");
        if (line.empty()) return;
        cookie = line.substr(0, line.find(';'));
        if (line.contains("Max-Age=0")) cookie.clear();
    }
};

}  // namespace weir::web

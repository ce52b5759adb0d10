#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

struct Callbacks : ::testing::Test {
    std::vector<Call> calls;
    Router router;
    Probe probe{router};

    Callbacks() {
        router.add("/kept/{id}", [this](Call call) { calls.push_back(std::move(call)); });
    }
};

TEST_F(Callbacks, AnswerAtOnce) {
    router.get("/x", [](Call call) { call.respond(text("now")); });
    EXPECT_EQ(probe.get("/x").content, "now");
}

TEST_F(Callbacks, AnswerLater) {
    auto exchange = probe.open("GET", "/kept/7");
    EXPECT_EQ(exchange.answer().status, 0u);
    calls[0].respond(text("later " + std::string{calls[0].parameter("id")}));
    EXPECT_EQ(exchange.wait().content, "later 7");
}

TEST_F(Callbacks, AnswerFromAnotherThread) {
    std::vector<std::jthread> threads;
    router.get("/x", [&](Call call) {
        threads.emplace_back([call = std::move(call)]() mutable { call.respond(text("thread")); });
    });
    for (int i = 0; i < 20; ++i) ASSERT_EQ(probe.get("/x").content, "thread");
}

TEST_F(Callbacks, HaveTheContentAndKeepIt) {
    auto exchange = probe.open("POST", "/kept/%37", {{"X-Field", "value"}}, "content");
    EXPECT_EQ(calls[0].content(), "content");
    EXPECT_EQ(calls[0].parameter("id"), "7");
    EXPECT_EQ(calls[0].field("x-field"), "value");
    calls[0].respond(Response{});
    EXPECT_EQ(exchange.wait().status, 200u);
}

TEST_F(Callbacks, DroppedUnansweredIs500) {
    auto exchange = probe.open("GET", "/kept/7");
    calls.clear();
    EXPECT_EQ(exchange.wait().status, 500u);
    router.get("/x", [](const Call&) { return text("next"); });
    EXPECT_EQ(probe.get("/x").content, "next");
}

TEST_F(Callbacks, FirstAnswerCounts) {
    auto exchange = probe.open("GET", "/kept/7");
    calls[0].respond(text("first"));
    calls[0].respond(text("second"));
    EXPECT_EQ(exchange.wait().content, "first");
    calls[0].respond(text("third"));
}

TEST_F(Callbacks, AnswerAfterThePeerLeftDoesNothing) {
    {
        auto exchange = probe.open("GET", "/kept/7");
        const std::stop_token token = calls[0].stop_token();
        EXPECT_FALSE(token.stop_requested());
        exchange.leave();
        EXPECT_TRUE(token.stop_requested());
    }
    EXPECT_EQ(calls[0].parameter("id"), "7") << "what it knows stays";
    EXPECT_EQ(calls[0].peer_address(), "192.0.2.7");
    calls[0].respond(text("to nobody"));
    router.get("/x", [](const Call&) { return text("next"); });
    EXPECT_EQ(probe.get("/x").content, "next");
}

TEST_F(Callbacks, AnswerAfterTheProbeHasGoneDoesNothing) {
    {
        Probe other{router};
        auto exchange = other.open("GET", "/kept/7");
    }
    calls[0].respond(text("to nobody"));
    calls.clear();
}

TEST_F(Callbacks, AreToldToStopWhenTheTimeIsOver) {
    auto exchange = probe.open("GET", "/kept/7");
    const std::stop_token token = calls[0].stop_token();
    probe.advance(http::Timeouts{}.handler);
    EXPECT_EQ(exchange.wait().status, 503u);
    EXPECT_TRUE(token.stop_requested());
}

TEST_F(Callbacks, AreNotToldToStopByTheirAnswer) {
    auto exchange = probe.open("GET", "/kept/7");
    const std::stop_token token = calls[0].stop_token();
    calls[0].respond(Response{});
    exchange.wait();
    EXPECT_FALSE(token.stop_requested());
}

TEST_F(Callbacks, ThatThrowAreA500) {
    router.get("/x", [](Call) { throw std::runtime_error{"no"}; });
    EXPECT_EQ(probe.get("/x").status, 500u);
}

}  // namespace
}  // namespace weir::web

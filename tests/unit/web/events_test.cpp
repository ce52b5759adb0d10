#include "weir/web/events.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "weir/web/await.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct ServerSentEvents : ::testing::Test {
    Router router;
    Probe probe{router};
};

TEST_F(ServerSentEvents, HaveTheirForm) {
    router.get("/", [](const Call& call) {
        return events(call, [last = std::string{last_event_id(call)}](Events out) -> Task<> {
            co_await out.send({.data = "plain"});
            co_await out.send({.data = "a\nb\r\nc\rd", .name = "tick", .id = "7", .retry = 500ms});
            co_await out.send({.data = "e", .retry = -5ms});
            co_await out.send({.data = last});
        });
    });
    const auto answer = probe.get("/", {{"Last-Event-ID", "6"}});
    EXPECT_EQ(answer.content,
              "data: plain\n\n"
              "event: tick\nid: 7\nretry: 500\ndata: a\ndata: b\ndata: c\ndata: d\n\ndata: e\n\n"
              "data: 6\n\n");
    EXPECT_EQ(answer.field("Content-Type"), "text/event-stream");
    EXPECT_EQ(answer.field("Cache-Control"), "no-cache");
    EXPECT_EQ(answer.field("X-Accel-Buffering"), "no");
}

TEST_F(ServerSentEvents, RefuseNamesWithLineEnds) {
    bool refused = false;
    router.get("/", [&](const Call& call) {
        return events(call, [&](Events out) -> Task<> {
            try {
                co_await out.send({.name = "a\nb"});
            } catch (const std::invalid_argument&) {
                refused = true;
            }
        });
    });
    EXPECT_EQ(probe.get("/").content, "");
    EXPECT_TRUE(refused);
}

TEST_F(ServerSentEvents, BeatWhileNothingHappens) {
    router.get("/", [](const Call& call) {
        return events(call,
                      [](Events out) -> Task<> {
                          co_await sleep_for(35s);
                          co_await out.send({.data = "x"});
                          co_await sleep_for(1h);
                      },
                      {.heartbeat = 10s});
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(9999ms);
    EXPECT_EQ(exchange.answer().content, "");
    probe.advance(1ms);
    EXPECT_EQ(exchange.answer().content, ":\n\n");
    probe.advance(25s);
    EXPECT_EQ(exchange.answer().content, ":\n\n:\n\n:\n\ndata: x\n\n");
    probe.advance(10s);
    EXPECT_EQ(exchange.answer().content, ":\n\n:\n\n:\n\ndata: x\n\n:\n\n");
    probe.advance(10min);
    EXPECT_FALSE(exchange.answer().is_complete) << "no handler's time runs out";
    EXPECT_EQ(exchange.answer().status, 200u);
}

TEST_F(ServerSentEvents, AreSentByCallbacks) {
    std::vector<Events> kept;
    router.get("/", [&](const Call& call) {
        return events(call, [&](Events out) { kept.push_back(std::move(out)); });
    });
    auto exchange = probe.open("GET", "/");
    bool taken = false;
    kept[0].send({.data = "x"}, [&](bool was_taken) { taken = was_taken; });
    EXPECT_EQ(exchange.wait_for("x").content, "data: x\n\n");
    exchange.answer();
    EXPECT_TRUE(taken);
    kept[0].end();
    EXPECT_TRUE(exchange.wait().is_complete);
}

TEST(EventsOfASlowPeer, EndAfterThePieceUnderWay) {
    Router router;
    router.get("/", [](const Call& call) {
        return events(call, [](Events out) -> Task<> {
            const std::string large(1'000'000, 'x');
            co_await out.send({.data = large});
            ADD_FAILURE() << "the server has stopped";
        });
    });
    Probe probe{router};
    auto exchange = probe.open_blocked("GET", "/");
    exchange.stop_server();
    exchange.take(true);
    const auto answer = exchange.wait();
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(answer.content.size() % 1'000'008, 0U) << "all of the event, or nothing";
}

TEST(EventsOfAStop, AreNoneWhenTheyBeginLater) {
    Router router;
    router.get("/", [](Call call) -> Task<Response> {
        co_await sleep_for(std::chrono::seconds{1});
        co_return events(call, [](Events out) -> Task<> {
            ADD_FAILURE() << "the server has stopped";
            co_await out.send({.data = "one"});
        });
    });
    Probe probe{router};
    auto exchange = probe.open("GET", "/");
    exchange.stop_server();
    probe.advance(std::chrono::seconds{1});
    const auto answer = exchange.wait();
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(answer.content, "");
}

}  // namespace
}  // namespace weir::web

// Messages from outside of the coroutine.

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "support/websocket_frames.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/websocket.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;
namespace frames = tests::websocket;

struct Senders : ::testing::Test {
    Router router;
    Probe probe{router};
    std::vector<WebSocketSender> senders;
    WebSocketOptions options{.queue_bytes_max = 10'000};

    Probe::Exchange open() {
        if (!has_route)
            router.get("/", websocket(
                                [this](WebSocket socket) -> Task<> {
                                    senders.push_back(socket.sender());
                                    while (co_await socket.receive()) {}
                                },
                                options));
        has_route = true;
        return probe.open("GET", "/", frames::opening());
    }
    static std::string got(Probe::Exchange& exchange) {
        return frames::shown(exchange.answer().content);
    }
    bool has_route = false;
};

TEST_F(Senders, SendFromAnyThreadToMany) {
    auto one = open();
    auto two = open();
    std::thread{[&] {
        const auto message = std::make_shared<const std::string>("to all");
        for (const auto& sender : senders) EXPECT_TRUE(sender.send(message));
        for (const auto& sender : senders) EXPECT_TRUE(sender.send("\x01", MessageKind::binary));
    }}.join();
    EXPECT_EQ(got(one), "text:to all binary:\x01");
    EXPECT_EQ(got(two), "text:to all binary:\x01");
    EXPECT_TRUE(senders[0] == senders[0]);
    EXPECT_FALSE(senders[0] == senders[1]);
}

TEST_F(Senders, RefuseMoreThanTheQueueHolds) {
    auto exchange = open();
    exchange.take(false);
    int taken = 0;
    while (senders[0].send(std::string(1000, 'x'))) ++taken;
    EXPECT_GE(taken, 8);
    EXPECT_LE(taken, 10);
    exchange.take(true);
    exchange.answer();
    EXPECT_TRUE(senders[0].send("again"));
    EXPECT_TRUE(got(exchange).ends_with("text:again"));
    taken = 0;
    exchange.take(false);
    while (senders[0].send("")) ++taken;
    EXPECT_LE(taken, 1000) << "empty messages have a size, too";
}

TEST_F(Senders, CloseBehindWhatIsQueued) {
    auto exchange = open();
    EXPECT_TRUE(senders[0].send("last words"));
    EXPECT_THROW(senders[0].close(CloseCode::none), std::invalid_argument);
    senders[0].close(CloseCode::policy_violation, "too slow");
    EXPECT_FALSE(senders[0].send("too late"));
    EXPECT_EQ(got(exchange), "text:last words close:1008too slow");
    exchange.send(frames::close(1008));
    EXPECT_TRUE(exchange.answer().is_complete);
}

TEST_F(Senders, MayOutliveTheirSocket) {
    {
        auto exchange = open();
        exchange.leave();
        EXPECT_FALSE(senders[0].send("nobody"));
    }
    EXPECT_FALSE(senders[0].send("nobody"));
    senders[0].close();
}

TEST_F(Senders, AreToldWhenThePeerCloses) {
    auto exchange = open();
    exchange.send(frames::close(1000));
    EXPECT_EQ(got(exchange), "close:1000");
    EXPECT_FALSE(senders[0].send("too late"));
}

}  // namespace
}  // namespace weir::web

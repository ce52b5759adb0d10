// How sockets end: by their coroutine, by their peer, by time.

#include <latch>
#include <stdexcept>

#include "socket_fixture.h"

namespace weir::web {
namespace {

TEST_F(Sockets, CloseWhenTheirCoroutineReturns) {
    auto exchange = open([](WebSocket socket) -> Task<> { co_await socket.send("only this"); });
    EXPECT_EQ(got(exchange), "text:only this close:1000");
    EXPECT_FALSE(exchange.answer().is_complete) << "the peer's close is due";
    exchange.send(frames::text("ignored") + frames::close());
    EXPECT_EQ(got(exchange), "text:only this close:1000");
    EXPECT_TRUE(exchange.answer().is_complete);
}

TEST_F(Sockets, WaitForTheCloseOfThePeerForATime) {
    auto exchange = open([](WebSocket) -> Task<> { co_return; });
    probe.advance(4s);
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1s);
    EXPECT_TRUE(exchange.answer().is_complete);
}

TEST_F(Sockets, CloseWithACodeAndAReason) {
    auto exchange = open([this](WebSocket socket) -> Task<> {
        EXPECT_THROW(socket.close(CloseCode::lost), std::invalid_argument);
        EXPECT_THROW(socket.close(static_cast<CloseCode>(99)), std::invalid_argument);
        socket.close(static_cast<CloseCode>(4001), "enough");
        socket.close(CloseCode::normal, "too late");
        EXPECT_FALSE(co_await socket.send("too late"));
        EXPECT_FALSE(co_await socket.receive());
        told = "returns";
    });
    EXPECT_EQ(got(exchange), "close:4001enough");
    EXPECT_EQ(told, "returns");
    exchange.send(frames::close(4001));
    EXPECT_TRUE(exchange.answer().is_complete);
}

TEST_F(Sockets, CloseWith1011WhenTheirCoroutineThrows) {
    auto exchange = open([](WebSocket socket) -> Task<> {
        co_await socket.receive();
        throw std::runtime_error{"no"};
    });
    exchange.send(frames::text("x"));
    EXPECT_EQ(got(exchange), "close:1011");
    exchange.send(frames::close(1011));
    EXPECT_TRUE(exchange.answer().is_complete);
}

TEST_F(Sockets, TellTheirCoroutineThatThePeerHasEnded) {
    auto exchange = open_echo();
    exchange.send(frames::text("x"));
    exchange.end();
    EXPECT_EQ(told, "closed 1006 ");
    EXPECT_TRUE(exchange.answer().is_complete);
    EXPECT_EQ(alive, 0);
}

TEST_F(Sockets, GiveTheirCoroutineTimeToReturn) {
    auto exchange = open([this](WebSocket socket) -> Task<> {
        const Counted counted{alive};
        co_await socket.receive();
        co_await sleep_for(3s);
        told = "returns";
        co_await sleep_for(1h);
        told = "never";
    });
    exchange.send(frames::close(1001));
    EXPECT_EQ(got(exchange), "close:1001");
    probe.advance(3s);
    EXPECT_EQ(told, "returns");
    EXPECT_EQ(alive, 1);
    probe.advance(2s);
    EXPECT_TRUE(exchange.answer().is_complete);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(told, "returns");
}

TEST_F(Sockets, EndWhereTheyWaitWhenThePeerLeaves) {
    for (int place = 0; place < 4; ++place) {
        Router own;
        own.get("/", websocket([this, place](WebSocket socket) -> Task<> {
                    const Counted counted{alive};
                    if (place == 1) co_await sleep_for(1h);
                    if (place == 2)
                        while (co_await socket.send(std::string(100'000, 'x'))) {}
                    if (place == 3) socket.close();
                    while (co_await socket.receive()) {}
                }));
        Probe its_probe{own};
        auto exchange = place == 2 ? its_probe.open_blocked("GET", "/", frames::opening())
                                   : its_probe.open("GET", "/", frames::opening());
        EXPECT_EQ(alive, place == 3 ? 0 : 1) << place;
        exchange.leave();
        EXPECT_EQ(alive, 0) << place;
    }
}

TEST_F(Sockets, AreKeptForWorkOnAnotherThread) {
    std::latch left{1};
    {
        Workers workers{1};
        auto exchange = open([&](WebSocket socket) -> Task<> {
            const Counted counted{alive};
            std::string own = "of the coroutine";
            co_await offload(workers, [&] {
                left.wait();
                own += socket.protocol();
            });
            told = "never";
        });
        exchange.leave();
        EXPECT_EQ(alive, 1);
        left.count_down();
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(told, "");
}

TEST_F(Sockets, PingASilentPeerAndGiveItUp) {
    auto exchange = open_echo();
    probe.advance(30s);
    EXPECT_EQ(got(exchange), "ping:");
    exchange.send(frames::pong());
    probe.advance(30s);
    EXPECT_EQ(got(exchange), "ping: ping:");
    probe.advance(19s);
    EXPECT_FALSE(exchange.answer().is_complete);
    EXPECT_EQ(alive, 1);
    probe.advance(1s);
    EXPECT_TRUE(exchange.answer().is_complete);
    EXPECT_EQ(alive, 0);
}

TEST_F(Sockets, DoNotBlameAPeerThatTheyDoNotListenTo) {
    auto exchange = open([](WebSocket socket) -> Task<> {
        co_await socket.receive();
        co_await sleep_for(10min);
        while (co_await socket.receive()) {}
    });
    exchange.send(frames::text("x"));
    probe.advance(10min);
    EXPECT_EQ(got(exchange), "");
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(30s);
    EXPECT_EQ(got(exchange), "ping:");
}

}  // namespace
}  // namespace weir::web

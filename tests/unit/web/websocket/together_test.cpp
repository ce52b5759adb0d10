// A socket in a coroutine that waits for several things, and in several coroutines.

#include "weir/web/together.h"

#include <array>

#include "socket_fixture.h"
#include "web/websocket/socket_tunnel.h"
#include "weir/web/channel.h"
#include "weir/web/flag.h"
#include "weir/web/task_group.h"

namespace weir::web {
namespace {

TEST_F(Sockets, ReceiveAndTickInOneCoroutine) {
    auto exchange = open([](WebSocket socket) -> Task<> {
        for (;;) {
            const auto first = co_await when_any(socket.receive(), sleep_for(10s));
            if (first.index() == 1) {
                co_await socket.send("tick");
                continue;
            }
            const auto& message = std::get<0>(first);
            if (!message) co_return;
            co_await socket.send(*message);
        }
    });
    exchange.send(frames::text("1"));
    probe.advance(10s);
    exchange.send(frames::text("2"));
    EXPECT_EQ(got(exchange), "text:1 text:tick text:2");
    exchange.send(frames::close(1000, ""));
    EXPECT_EQ(got(exchange), "text:1 text:tick text:2 close:1000");
}

Task<> send_all(WebSocket& socket, std::string text) {
    for (int i = 0; i < 3; ++i) co_await socket.send(text + std::to_string(i));
}

TEST_F(Sockets, TakeTurnsBetweenCoroutinesThatSend) {
    auto exchange = open([](WebSocket socket) -> Task<> {
        co_await when_all(send_all(socket, "a"), send_all(socket, "b"), send_all(socket, "c"));
    });
    EXPECT_EQ(got(exchange),
              "text:a0 text:b0 text:c0 text:a1 text:b1 text:c1 text:a2 text:b2 text:c2 close:1000");
}

/// Sends a message, and then sets the flag: when some of the next message is sent, too.
Task<> send_then_set(WebSocket& socket, Flag flag) {
    co_await socket.send("first");
    flag.set();
}

TEST_F(Sockets, CompleteAMessageThatWasPartlySent) {
    auto exchange = open([this](WebSocket socket) -> Task<> {
        const Flag flag;
        const auto send_large = [](WebSocket& to, Flag until, std::string& to_tell) -> Task<> {
            const std::string large(200'000, 'x');
            const auto first = co_await when_any(to.send(large), until.wait());
            const std::string never(200'000, 'y');
            const auto second = co_await when_any(sleep_for(0s), to.send(never));
            const auto third = co_await when_any(to.send(never), until.wait());
            to_tell = std::to_string(first.index()) + std::to_string(second.index()) +
                      std::to_string(third.index());
            co_await to.send("end");
        };
        co_await when_all(send_then_set(socket, flag), send_large(socket, flag, told));
    });
    EXPECT_EQ(got(exchange), "text:first text#200000 text:end close:1000");
    EXPECT_EQ(told, "101");
}

/// Delivers nothing: the test drives the socket.
struct Nowhere final : http::Postbox {
    void answer(http::Ticket, Response&&) override {}
    void wake(http::Ticket) override {}
};

TEST(SocketOfSeveral, LosesTheMessagesThatHaveNotBegun) {
    const http::Waker waker{std::make_shared<Nowhere>(), {}};
    detail::Runner runner{waker, nullptr};
    auto nobody = [](WebSocket) -> Task<> { co_return; };
    using Nobody = detail::SocketUserOf<decltype(nobody)>;
    detail::SocketTunnel socket{
        waker, nullptr, std::make_shared<Nobody>(std::move(nobody), WebSocketOptions{}), {}};
    detail::Send first{socket, {.data = "first"}};
    detail::Send second{socket, {.data = "second"}};
    detail::Send third{socket, {.data = "third"}};
    for (detail::Send* const send : {&first, &second, &third}) {
        send->note_awaited();
        EXPECT_TRUE(send->begin(runner));
    }
    std::array<char, 4> some{};
    EXPECT_EQ(socket.give(some), some.size());
    EXPECT_TRUE(second.end());
    socket.take(std::string_view{"\x83\x80....", 6});  // no frame of RFC 6455
    EXPECT_TRUE(third.is_ready({}));
    EXPECT_FALSE(third.await_resume());
    EXPECT_FALSE(first.is_ready({}));
    std::array<char, 100> rest{};
    EXPECT_NE(socket.give(rest), 0U);
    EXPECT_TRUE(first.await_resume());
}

TEST_F(Sockets, ShareAChannel) {
    const Channel<std::string> news{8};
    auto exchange = open([news](WebSocket socket) -> Task<> {
        const auto tell = [](Channel<std::string> of, WebSocket& to) -> Task<> {
            while (const auto text = co_await of.receive()) co_await to.send(*text);
        };
        co_await task_group([&](TaskGroup& tasks) -> Task<> {
            tasks.start(tell(news, socket));
            while (const auto message = co_await socket.receive()) co_await socket.send(*message);
        });
    });
    EXPECT_TRUE(news.try_send("news"));
    EXPECT_EQ(frames::shown(exchange.wait_for("news").content), "text:news");
    exchange.send(frames::text("echo"));
    EXPECT_TRUE(news.try_send("more"));
    EXPECT_EQ(got(exchange), "text:news text:echo text:more");
    exchange.send(frames::close(1000, ""));
    EXPECT_TRUE(exchange.answer().is_complete);
}

}  // namespace
}  // namespace weir::web

// Messages, as a coroutine and its peer see them.

#include "socket_fixture.h"

namespace weir::web {
namespace {

TEST_F(Sockets, Echo) {
    auto exchange = open_echo();
    EXPECT_EQ(exchange.answer().status, 101U);
    exchange.send(frames::text("hello"));
    EXPECT_EQ(got(exchange), "text:hello");
    exchange.send(frames::binary("two") + frames::text("three", false) + frames::more("!", true));
    EXPECT_EQ(got(exchange), "text:hello binary:two text:three!");
    EXPECT_FALSE(exchange.answer().is_complete);
    exchange.send(frames::close(1000, "bye"));
    EXPECT_EQ(got(exchange), "text:hello binary:two text:three! close:1000");
    EXPECT_TRUE(exchange.answer().is_complete);
    EXPECT_EQ(told, "closed 1000 bye");
    EXPECT_EQ(alive, 0);
}

TEST_F(Sockets, TakeFramesBehindTheRequest) {
    open_echo();
    Probe::Fields fields = frames::opening();
    fields.emplace_back("Content-Length", "0");
    auto exchange = probe.open("GET", "/", fields, frames::text("early"));
    EXPECT_EQ(got(exchange), "text:early");
}

TEST_F(Sockets, TakeMessagesOfAnySizeUpToTheirLimit) {
    options.message_bytes_max = 500'000;
    auto exchange = open_echo();
    std::string expected;
    for (const std::size_t size : {0, 125, 126, 65'535, 65'536, 500'000}) {
        exchange.send(frames::binary(std::string(size, 'x')));
        expected += size > 60 ? "binary#" + std::to_string(size) + " " : "binary: ";
    }
    EXPECT_EQ(got(exchange) + " ", expected);
    exchange.send(frames::binary(std::string(500'001, 'x')));
    EXPECT_EQ(got(exchange), expected + "close:1009");
    EXPECT_TRUE(exchange.answer().is_complete);
    EXPECT_EQ(told, "closed 1009 ");
}

TEST_F(Sockets, AnswerPingsBetweenFragments) {
    auto exchange = open_echo();
    exchange.send(frames::text("one ", false) + frames::ping("x") + frames::more("two", true));
    EXPECT_EQ(got(exchange), "pong:x text:one two");
    exchange.send(frames::pong("nobody asked"));
    EXPECT_EQ(got(exchange), "pong:x text:one two");
}

TEST_F(Sockets, AnswerFewPingsOfAFlood) {
    auto exchange = open_echo();
    exchange.take(false);
    for (int i = 0; i < 1000; ++i) exchange.send(frames::ping(std::to_string(i)));
    exchange.take(true);
    std::string expected;
    for (int i = 0; i < 16; ++i) expected += "pong:" + std::to_string(i) + " ";
    EXPECT_EQ(got(exchange), expected + "pong:999");
}

TEST_F(Sockets, SendAsFastAsThePeerTakes) {
    int sent = 0;
    router.get("/", websocket([&](WebSocket socket) -> Task<> {
                   while (co_await socket.send(std::string(10'000, 'x'))) ++sent;
               }));
    auto exchange = probe.open_blocked("GET", "/", frames::opening());
    EXPECT_LE(sent, 4) << "no more than the buffer of a connection";
    exchange.leave();
    const int before = sent;
    probe.advance(1s);
    EXPECT_EQ(sent, before);
}

TEST_F(Sockets, LetThePeerWaitWhileTheirCoroutineIsBusy) {
    int received = 0;
    auto exchange = open([&](WebSocket socket) -> Task<> {
        while (co_await socket.receive()) {
            ++received;
            co_await sleep_for(1s);
        }
    });
    for (int i = 0; i < 5; ++i) exchange.send(frames::text("x"));
    for (int i = 1; i <= 5; ++i) {
        EXPECT_EQ(received, i);
        probe.advance(1s);
    }
}

TEST_F(Sockets, KeepWhatTheCallFormCaptured) {
    router.get("/{room}", [](const Call& call) {
        return websocket(call,
                         [room = std::string{call.parameter("room")}](WebSocket socket) -> Task<> {
                             co_await socket.send(room);
                             co_await socket.receive();
                             co_await socket.send(room);
                         });
    });
    auto exchange = probe.open("GET", "/blue", frames::opening());
    EXPECT_EQ(got(exchange), "text:blue");
    exchange.send(frames::text("x"));
    EXPECT_EQ(got(exchange), "text:blue text:blue close:1000");
}

TEST_F(Sockets, KnowTheirSubprotocol) {
    options.protocols = {"chat"};
    router.get(
        "/", websocket([](WebSocket socket) -> Task<> { co_await socket.send(socket.protocol()); },
                       options));
    Probe::Fields fields = frames::opening();
    fields.emplace_back("Sec-WebSocket-Protocol", "chat");
    auto exchange = probe.open("GET", "/", fields);
    EXPECT_EQ(got(exchange), "text:chat close:1000");
}

}  // namespace
}  // namespace weir::web

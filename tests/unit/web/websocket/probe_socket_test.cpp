#include "weir/web/probe_socket.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "weir/web/await.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct ProbeSockets : ::testing::Test {
    Router router;
    Probe probe{router};
    std::vector<std::jthread> threads;

    ProbeSockets() {
        router.get("/echo", websocket([](WebSocket socket) -> Task<> {
                       while (const auto message = co_await socket.receive())
                           co_await socket.send(*message);
                   }));
        router.get("/three", websocket([](WebSocket socket) -> Task<> {
                       for (const char* const text : {"one", "two", "three"})
                           co_await socket.send(text);
                       socket.close(CloseCode{4'000}, "enough");
                   }));
        router.get("/thread", websocket([this](WebSocket socket) -> Task<> {
                       threads.emplace_back([sender = socket.sender()] { sender.send("late"); });
                       co_await socket.receive();
                   }));
        router.get("/page", [] { return text("no socket"); });
    }
};

TEST_F(ProbeSockets, SendAndReceive) {
    ProbeSocket peer{probe, "/echo"};
    EXPECT_FALSE(peer.has_next());
    for (const std::size_t size : {0u, 1u, 125u, 126u, 65'535u, 65'536u, 300'000u}) {
        const std::string sent(size, 'a');
        peer.send(sent);
        EXPECT_TRUE(peer.has_next());
        EXPECT_EQ(peer.receive(), sent);
        peer.send_binary(sent);
        EXPECT_EQ(peer.receive(), sent);
    }
    peer.close(CloseCode::going_away, "bye");
    EXPECT_EQ(peer.receive(), std::nullopt);
    EXPECT_EQ(peer.close_code(), CloseCode::going_away);
}

TEST_F(ProbeSockets, SeeTheCloseOfTheServer) {
    ProbeSocket peer{probe, "/three"};
    EXPECT_EQ(peer.receive(), "one");
    EXPECT_EQ(peer.receive(), "two");
    EXPECT_EQ(peer.receive(), "three");
    EXPECT_TRUE(peer.has_next());
    EXPECT_EQ(peer.receive(), std::nullopt);
    EXPECT_EQ(peer.close_code(), CloseCode{4'000});
    EXPECT_EQ(peer.close_reason(), "enough");
    EXPECT_TRUE(peer.exchange().answer().is_complete) << "the peer closes, too";
}

TEST_F(ProbeSockets, WaitForOtherThreads) {
    ProbeSocket peer{probe, "/thread"};
    EXPECT_EQ(peer.receive(), "late");
}

TEST_F(ProbeSockets, AnswerPings) {
    ProbeSocket peer{probe, "/echo"};
    for (int i = 0; i < 10; ++i) {
        probe.advance(30s);  // WebSocketOptions::ping_every
        EXPECT_FALSE(peer.has_next()) << i;
    }
    peer.send("still here");
    EXPECT_EQ(peer.receive(), "still here");
}

TEST_F(ProbeSockets, SeeThatTheConnectionHasEnded) {
    ProbeSocket peer{probe, "/echo"};
    probe.advance(100s);  // no has_next(): pings stay unanswered
    EXPECT_EQ(peer.receive(), std::nullopt);
    EXPECT_EQ(peer.close_code(), CloseCode::lost);
}

TEST_F(ProbeSockets, AreRefused) {
    EXPECT_THROW((ProbeSocket{probe, "/page"}), std::runtime_error);
    EXPECT_THROW((ProbeSocket{probe, "/nowhere"}), std::runtime_error);
    EXPECT_THROW((ProbeSocket{probe, "/echo", {{"Origin", "https://evil.example"}}}),
                 std::runtime_error);
}

TEST_F(ProbeSockets, OfAProbeThatPlaysTls) {
    router.get("/security", [](const Call& call) {
        const auto security = call.request().origin().security();
        return text(security ? std::string{security->version} : "plain");
    });
    EXPECT_EQ(probe.get("/security").content, "plain");
    probe.encrypt();
    EXPECT_EQ(probe.get("/security").content, "TLSv1.3");
    probe.encrypt({.version = "TLSv1.2", .client_subject = "CN=ada"});
    EXPECT_EQ(probe.get("/security").content, "TLSv1.2");
}

}  // namespace
}  // namespace weir::web

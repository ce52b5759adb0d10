// Peers that shut down their side while a response is awaited.

#include <gtest/gtest.h>

#include "connection_driver.h"
#include "echo_tunnel.h"
#include "scripted.h"

namespace weir::http {
namespace {

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string get_hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

/// Pauses, until the test lets it end.
struct Live final : Source {
    explicit Live(Script& of_test) : script{of_test} {}
    Pulled pull(std::span<char>) override {
        if (script.resumed++ == 0 || script.ends_with_peer) return NotReady{};
        return End{};
    }
    bool ends_with_peer() const noexcept override { return script.ends_with_peer; }
    void done(Outcome outcome) noexcept override { script.cuts += outcome == Outcome::peer_gone; }
    Script& script;
};

struct LeavingPeer : ::testing::Test {
    Script script;
    ConnectionDriver peer{[this](const Request& request) -> Reply {
        if (request.path() == "/hello") return hello(request);
        if (request.path() == "/live") {
            Response response;
            response.content(std::make_unique<Live>(script));
            return response;
        }
        return Later{std::make_unique<Scripted>(script)};
    }};
};

TEST_F(LeavingPeer, EndsAContinuationThatSaysSo) {
    script.ends_with_peer = true;
    peer.receive(get);
    ASSERT_EQ(peer.step(), Step::receive);
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::handling);
    peer.receive_end();
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(script.destroyed, 1);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.sent, "");
}

TEST_F(LeavingPeer, GetsTheResponseOfAnotherOne) {
    peer.receive(get);
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::wait);
    EXPECT_EQ(script.cuts, 0);
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_NE(peer.sent.find("\r\nConnection: close\r\n"), std::string::npos) << peer.sent;
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\ndone")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(LeavingPeer, GetsEachResponseWhereThatIsWanted) {
    script.ends_with_peer = true;
    peer.limits.half_close = true;
    peer.receive(get);
    peer.receive_end();
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\ndone")) << peer.sent;
}

TEST_F(LeavingPeer, EndsAContinuationThatBeginsLater) {
    ConnectionDriver other{[](const Request&) -> Reply { return Later{}; }};  // a pool has it
    script.ends_with_peer = true;
    other.receive(get);
    other.receive_end();
    EXPECT_EQ(other.step(), Step::wait);
    other.respond(1, Later{std::make_unique<Scripted>(script)});
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(other.step(), Step::close);
}

TEST_F(LeavingPeer, EndsASourceThatBeginsLater) {
    ConnectionDriver other{[](const Request&) -> Reply { return Later{}; }};
    script.ends_with_peer = true;
    other.receive(get);
    other.receive_end();
    Response response;
    response.content(std::make_unique<Live>(script));
    other.respond(1, std::move(response));
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(other.step(), Step::close);
}

TEST_F(LeavingPeer, EndsASourceThatSaysSo) {
    script.ends_with_peer = true;
    peer.receive("GET /live HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_EQ(peer.step(), Step::receive);
    EXPECT_EQ(peer.connection->close_impact(), CloseImpact::handling);
    peer.receive_end();
    EXPECT_EQ(script.cuts, 1);
    ASSERT_EQ(peer.seen.size(), 1U);
    EXPECT_EQ(peer.seen[0].outcome, Outcome::peer_gone);
    EXPECT_EQ(peer.seen[0].target, "/live");
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(LeavingPeer, GetsTheRestOfAnotherSource) {
    peer.receive("GET /live HTTP/1.1\r\nHost: a\r\n\r\n");
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::wait);
    peer.wake();
    EXPECT_TRUE(peer.sent.ends_with("0\r\n\r\n")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(LeavingPeer, MoreInputWaitsForTheResponse) {
    for (const std::string path : {"/", "/live"}) {
        script = {};
        script.resume = [this]() -> Reply {
            if (script.resumed < 2) return Later{};
            return text("done");
        };
        peer.receive("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        ASSERT_EQ(peer.step(), Step::receive) << path;
        peer.receive(get_hello);
        ASSERT_EQ(peer.step(), Step::wait) << path;
        peer.wake(static_cast<RequestId>(peer.handled));
        EXPECT_TRUE(peer.take_sent().ends_with(hello_answer)) << path;
        EXPECT_EQ(peer.step(), Step::receive) << path;
    }
}

TEST_F(LeavingPeer, KeepsTheHeadOfItsRequestMeanwhile) {
    const Request* request = nullptr;
    ConnectionDriver other{[&](const Request& handled) -> Reply {
        if (handled.path() != "/kept") return hello(handled);
        request = &handled;
        return Later{std::make_unique<Scripted>(script)};
    }};
    other.receive("GET /kept HTTP/1.1\r\nHost: a\r\n\r\n");
    other.receive(get_hello);  // in the same buffer
    script.resume = [&] { return text(std::string{request->path()}); };
    other.wake();
    EXPECT_TRUE(other.sent.ends_with("\r\n\r\n/kept" + hello_answer)) << other.sent;
}

TEST_F(LeavingPeer, WithoutItsContentIsNotHandledFurther) {
    script.resume = [this]() -> Reply {
        if (script.resumed < 2) return Later{};
        return ReadContent{};
    };
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::wait);
    peer.wake();
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(peer.sent, "");
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(LeavingPeer, WithoutItsContentIsNotWaitedForAfterAnEarlyResponse) {
    peer.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
    peer.receive_end();
    script.resume = [] { return text("done"); };
    peer.wake();
    EXPECT_TRUE(peer.sent.ends_with("\r\n\r\ndone")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::close);  // and not `drain`: its end was read
}

TEST_F(LeavingPeer, EndsTheInputOfATunnelThatBeginsLater) {
    EchoTunnel::Notes notes;
    script.resume = [&]() -> Reply {
        if (script.resumed < 2) return Later{};
        Response response;
        response.upgrade("echo", std::make_unique<EchoTunnel>(notes));
        return response;
    };
    peer.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
    peer.receive_end();
    peer.wake();
    EXPECT_TRUE(notes.input_ended);
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 101 ")) << peer.sent;
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(LeavingPeer, MayBeTurnedAwayMeanwhile) {
    peer.receive(get);
    peer.connection->turn_away(peer.now);
    peer.drive();
    EXPECT_TRUE(peer.sent.starts_with("HTTP/1.1 503 ")) << peer.sent;
    EXPECT_EQ(script.cuts, 1);
}

TEST_F(LeavingPeer, MayBeTurnedAwayInTheMiddleOfItsResponse) {
    peer.receive("GET /live HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string head = peer.sent;
    peer.connection->turn_away(peer.now);
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(peer.sent, head);
    ASSERT_EQ(peer.seen.size(), 1U);
    EXPECT_EQ(peer.seen[0].outcome, Outcome::stopped);
}

TEST_F(LeavingPeer, ThatLeavesWhileTheServerStops) {
    script.ends_with_peer = true;
    peer.receive(get);
    peer.connection->retire(peer.now);
    ASSERT_EQ(peer.step(), Step::receive);
    peer.receive_end();
    EXPECT_EQ(script.cuts, 1);
    EXPECT_EQ(peer.step(), Step::close);
}

}  // namespace
}  // namespace weir::http

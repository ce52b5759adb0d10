// Another protocol behind an Upgrade of HTTP/1.1.

#include "weir/http/tunnel.h"

#include <gtest/gtest.h>

#include "base/budget.h"
#include "connection_driver.h"
#include "echo_tunnel.h"

namespace weir::http {
namespace {

using namespace std::chrono_literals;

const std::string upgrade =
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
const std::string switching =
    "HTTP/1.1 101 Switching Protocols\r\n" + date + "Upgrade: echo\r\nConnection: Upgrade\r\n\r\n";

struct Tunnels : ::testing::Test {
    EchoTunnel::Notes notes;
    ConnectionDriver peer{echo_tunnel(notes)};

    /// The peer takes what there is; or nothing.
    void take(bool takes) {
        peer.send_max = takes ? ~std::size_t{0} : 0;
        peer.drive();
    }
};

TEST_F(Tunnels, CarryBytesBothWays) {
    peer.receive(upgrade);
    EXPECT_EQ(peer.take_sent(), switching);
    EXPECT_EQ(peer.step(), Step::receive);
    peer.receive("hello");
    EXPECT_EQ(peer.take_sent(), "hello");
    peer.receive("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(peer.take_sent(), "GET / HTTP/1.1\r\n\r\n") << "no request follows";
    EXPECT_EQ(peer.handled, 1);
}

TEST(Upgrade, WithoutItsTunnelIsA500) {
    EchoTunnel::Notes notes;
    ConnectionDriver peer{[&](const Request&) -> Reply {
        Response response;
        response.upgrade("echo", std::make_unique<EchoTunnel>(notes));
        response.content("a page");
        return response;
    }};
    peer.receive(upgrade);
    EXPECT_TRUE(peer.take_sent().starts_with("HTTP/1.1 500 ")) << "no 101 ends an exchange";
}

TEST(Upgrade, OfARequestWithUnreadContentLeavesTheNextRequestWhole) {
    EchoTunnel::Notes notes;
    ConnectionDriver peer{[&](const Request& request) -> Reply {
        Response response;
        if (request.method() == Method::post)
            response.upgrade("echo", std::make_unique<EchoTunnel>(notes));
        else
            response.content("a page");
        return response;
    }};
    peer.receive(
        "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n"
        "Content-Length: 5\r\n\r\nhello"
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string sent = peer.take_sent();
    EXPECT_TRUE(sent.starts_with("HTTP/1.1 500 ")) << sent;
    EXPECT_TRUE(sent.ends_with("a page")) << sent;
}

TEST_F(Tunnels, StartWithWhatIsBehindTheRequest) {
    peer.receive(upgrade + "early, and longer than its room");
    EXPECT_EQ(peer.take_sent(), switching + "early, and longer than its room");
}

TEST_F(Tunnels, EndAsTheirProtocolSays) {
    peer.receive(upgrade);
    peer.take_sent();
    peer.receive("bye.");
    EXPECT_EQ(peer.take_sent(), "bye.");
    EXPECT_EQ(notes.done, "sent");
    EXPECT_EQ(peer.step(), Step::drain);
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::close);
    ASSERT_EQ(peer.seen.size(), 1U);
    EXPECT_EQ(peer.seen[0].status, Status::switching_protocols);
    EXPECT_EQ(peer.seen[0].content_bytes, 4U);
    EXPECT_EQ(peer.seen[0].target, "/");
}

TEST_F(Tunnels, LetThePeerWaitWhenTheyTakeNoMore) {
    peer.receive(upgrade);
    peer.take_sent();
    notes.room = 0;
    peer.connection->wake(1, peer.now);
    EXPECT_EQ(peer.step(), Step::wait);
    notes.room = 8;
    peer.connection->wake(1, peer.now);
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST_F(Tunnels, ReadWhileTheySend) {
    peer.receive(upgrade);
    peer.take_sent();
    take(false);
    peer.receive("1234");
    EXPECT_EQ(peer.step(), Step::exchange);
    peer.receive("5678");
    EXPECT_EQ(peer.step(), Step::exchange);
    peer.receive("90ab-and more");
    EXPECT_EQ(peer.step(), Step::transmit) << "it has no room";
    EXPECT_EQ(notes.taken, 12U);
    EXPECT_EQ(peer.connection->transmit().part_bytes(), 4U) << "what is being sent stays";
    take(true);
    EXPECT_EQ(peer.take_sent(), "1234567890ab-and more");
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST_F(Tunnels, HearOfAWakeUpWhileTheySend) {
    peer.receive(upgrade);
    peer.take_sent();
    take(false);
    peer.receive("1234");
    notes.extra = "tick";
    peer.connection->wake(1, peer.now);
    take(true);
    EXPECT_EQ(peer.take_sent(), "1234tick");
}

TEST_F(Tunnels, SeeThatTheirTimeHasComeWhileTheySend) {
    peer.receive(upgrade);
    peer.take_sent();
    notes.due = peer.now.instant + 5s;
    peer.connection->wake(1, peer.now);
    take(false);
    peer.receive("1234");
    notes.extra = "tick";
    peer.pass(6s);
    take(true);
    EXPECT_EQ(peer.take_sent(), "1234tick");
}

TEST_F(Tunnels, HaveATimeOfTheirOwn) {
    peer.receive(upgrade);
    peer.take_sent();
    EXPECT_EQ(peer.connection->deadline(), never);
    peer.pass(24h);
    EXPECT_EQ(peer.step(), Step::receive);
    notes.due = peer.now.instant + 5s;
    peer.connection->wake(1, peer.now);
    EXPECT_EQ(peer.connection->deadline(), notes.due);
    notes.extra = "tick";
    peer.pass(4s);
    EXPECT_EQ(peer.take_sent(), "");
    peer.pass(1s);
    notes.due = never;
    EXPECT_EQ(peer.take_sent(), "tick");
}

TEST_F(Tunnels, CutAPeerThatReadsNothing) {
    take(false);
    peer.receive(upgrade);
    peer.receive("x");
    EXPECT_EQ(peer.step(), Step::exchange);
    for (int i = 0; i < 3; ++i) {
        peer.pass(20s);
        if (peer.step() == Step::exchange) peer.receive("y");
    }
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_TRUE(peer.connection->resets());
    EXPECT_EQ(notes.done, "late");
}

TEST_F(Tunnels, HearThatThePeerHasEnded) {
    peer.receive(upgrade);
    peer.take_sent();
    take(false);
    peer.receive("last");
    peer.receive_end();
    EXPECT_TRUE(notes.input_ended);
    EXPECT_EQ(peer.step(), Step::transmit) << "nothing is read any more";
    take(true);
    EXPECT_EQ(peer.take_sent(), "last");
    EXPECT_EQ(notes.done, "sent");
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(Tunnels, HearThatTheServerStops) {
    peer.receive(upgrade);
    peer.connection->retire(peer.now);
    EXPECT_TRUE(notes.retired);
    EXPECT_EQ(peer.step(), Step::drain);

    EchoTunnel::Notes late;
    ConnectionDriver other{echo_tunnel(late)};
    other.receive(upgrade.substr(0, 20));
    other.connection->retire(other.now);
    other.receive(upgrade.substr(20));
    EXPECT_TRUE(late.retired) << "one that begins during the stop";
}

TEST_F(Tunnels, HearThatThePeerHasGone) {
    peer.receive(upgrade);
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(notes.done, "gone");
}

TEST_F(Tunnels, AreCutWhereThereIsNoRoom) {
    peer.receive(upgrade);
    peer.take_sent();
    peer.connection->turn_away(peer.now);
    EXPECT_EQ(peer.step(), Step::close) << "an answer of HTTP would be none of its bytes";
    EXPECT_EQ(notes.done, "stopped");
}

TEST_F(Tunnels, ThatFailEndTheConnection) {
    peer.receive(upgrade);
    notes.fails = true;
    peer.receive("x");
    EXPECT_EQ(peer.step(), Step::close);
    EXPECT_EQ(notes.done, "failed");
}

TEST_F(Tunnels, ComeOnlyWhereTheyWereAskedFor) {
    for (const std::string& request :
         {std::string{"GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
          std::string{"GET / HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"},
          upgrade.substr(0, upgrade.size() - 2) + "Content-Length: 3\r\n\r\n"}) {
        EchoTunnel::Notes its_notes;
        ConnectionDriver other{echo_tunnel(its_notes)};
        other.receive(request);
        EXPECT_TRUE(other.sent.starts_with("HTTP/1.1 500 ")) << request;
        EXPECT_EQ(its_notes.done, "stopped");
    }
}

TEST_F(Tunnels, GoBehindEarlierAnswers) {
    ConnectionDriver other{[&](const Request& request) -> Reply {
        return request.id() == 1 ? hello(request) : echo_tunnel(notes)(request);
    }};
    other.send_max = 7;
    other.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n" + upgrade);
    EXPECT_EQ(other.sent, hello_answer + switching);
}

TEST_F(Tunnels, OfClientsThatAskToCloseAreOnesAllTheSame) {
    peer.receive(
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close, Upgrade\r\nUpgrade: echo\r\n\r\nhello");
    EXPECT_EQ(peer.take_sent(), switching + "hello");
}

TEST_F(Tunnels, PayForTheirMemory) {
    Budget budget{10'000};
    ConnectionDriver other{echo_tunnel(notes)};
    other.workspace.memory = &budget;
    other.receive(upgrade);
    notes.held = 5'000;
    other.connection->take_ownership(other.now);
    EXPECT_EQ(other.step(), Step::receive);
    EXPECT_GE(budget.used(), 5'000U);
    notes.held = 50'000;
    other.connection->take_ownership(other.now);
    EXPECT_EQ(other.step(), Step::close);
    EXPECT_EQ(notes.done, "failed");
}

TEST(CanUpgrade, KnowsWhoAsks) {
    const auto asks = [](const std::string& head, std::string_view protocol) {
        bool can = false;
        ConnectionDriver peer{[&](const Request& request) -> Reply {
            can = can_upgrade(request, protocol);
            return Response{};
        }};
        peer.receive(head + "\r\n");
        return can;
    };
    const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n";
    EXPECT_TRUE(asks(get + "Connection: Upgrade\r\nUpgrade: echo\r\n", "echo"));
    EXPECT_TRUE(asks(get + "Connection: a\r\nConnection: upgrade\r\nUpgrade: x,ECHO\r\n", "echo"));
    EXPECT_FALSE(asks(get + "Connection: Upgrade\r\nUpgrade: echo2\r\n", "echo"));
    EXPECT_FALSE(asks(get + "Upgrade: echo\r\n", "echo"));
    EXPECT_FALSE(asks(get + "Connection: Upgrade\r\n", "echo"));
    EXPECT_FALSE(asks("GET / HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: echo\r\n", "echo"));
    EXPECT_FALSE(
        asks("POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n", "echo"));
}

}  // namespace
}  // namespace weir::http

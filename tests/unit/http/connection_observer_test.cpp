#include "http/connection_observer.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "base/budget.h"
#include "unit/http/connection_driver.h"

namespace weir::http {
namespace {

const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

struct Counts final : ConnectionObserver {
    unsigned open_count = 0;
    unsigned retired_count = 0;
    unsigned busy_count = 0;

    void opened() noexcept override { ++open_count; }
    void retired() noexcept override { ++retired_count; }
    void busy() noexcept override { ++busy_count; }
    void closed(bool was_retired, bool was_busy) noexcept override {
        --open_count;
        retired_count -= was_retired ? 1 : 0;
        busy_count -= was_busy ? 1 : 0;
    }
};

/// A connection whose handler answers when the test says so.
struct Counted : testing::Test {
    Counted() {
        peer.connection.reset();  // was made before it could be counted
        peer.workspace.connections = &counts;
        peer.connection = std::make_unique<Http1Connection>(peer.workspace, peer, peer.now);
    }
    /// open, retired, at work
    std::tuple<unsigned, unsigned, unsigned> all() const {
        return {counts.open_count, counts.retired_count, counts.busy_count};
    }
    void retire() { peer.connection->retire(peer.now); }
    void answer() {
        deferred->respond(Response{});
        peer.deliver();
    }

    Counts counts;
    std::optional<Deferred> deferred;
    ConnectionDriver peer{[this](const Request& request) -> Reply {
        deferred.emplace(request.defer());
        return Later{};
    }};
};
using AllThree = std::tuple<unsigned, unsigned, unsigned>;

TEST_F(Counted, WhileItIsOpen) {
    EXPECT_EQ(all(), AllThree(1, 0, 0));
    peer.connection.reset();
    EXPECT_EQ(all(), AllThree(0, 0, 0));
}

TEST_F(Counted, IdleAtTheStop) {
    peer.receive(get);
    answer();
    retire();
    retire();
    EXPECT_EQ(all(), AllThree(1, 1, 0));
    peer.connection.reset();
    EXPECT_EQ(all(), AllThree(0, 0, 0));
}

TEST_F(Counted, AtWorkAtTheStop) {
    peer.receive(get);
    retire();
    EXPECT_EQ(all(), AllThree(1, 1, 1));
    answer();
    peer.receive_end();
    EXPECT_EQ(peer.step(), Step::close);
    peer.connection.reset();
    EXPECT_EQ(all(), AllThree(0, 0, 0));
}

TEST_F(Counted, AtWorkWhereItsRequestComesAfterTheStop) {
    retire();
    EXPECT_EQ(all(), AllThree(1, 1, 0));
    peer.receive(get);
    EXPECT_EQ(all(), AllThree(1, 1, 1));
}

TEST_F(Counted, AtWorkWithHalfAHead) {
    peer.receive("GET / HT");
    retire();
    EXPECT_EQ(all(), AllThree(1, 1, 1));
}

TEST_F(Counted, NotAtWorkOnceItWasAnsweredAndDrains) {
    peer.receive("not HTTP\r\n\r\n");
    ASSERT_EQ(peer.step(), Step::drain);
    retire();
    EXPECT_EQ(all(), AllThree(1, 1, 0));
}

TEST(UnderWay, FromTheHeadToTheEndOfTheResponse) {
    ConnectionDriver peer{hello};
    peer.handles = false;
    peer.receive("GET / HT");
    EXPECT_EQ(peer.active, 0);
    peer.receive("TP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(peer.active, 1);
    peer.respond(1, text("a"));
    EXPECT_EQ(peer.active, 0);
    peer.handles = true;
    peer.receive(get + get);
    EXPECT_EQ(peer.seen.size(), 3u);
    EXPECT_EQ(peer.active, 0);
}

TEST(UnderWay, WhileTheResponseIsSent) {
    ConnectionDriver peer{
        [](const Request&) -> Reply { return text(std::string(1'000'000, 'x')); }};
    peer.send_max = 0;
    peer.receive(get);
    EXPECT_EQ(peer.active, 1);
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(peer.active, 0);
    EXPECT_EQ(peer.seen.size(), 1u);
}

TEST(UnderWay, UntilThePeerHasGone) {
    for (const std::string content : {"", "Content-Length: 9\r\n"}) {
        ConnectionDriver peer{[](const Request& request) -> Reply {
            if (request.content_pending()) return ReadContent{};
            return Later{};
        }};
        peer.receive("PUT / HTTP/1.1\r\nHost: a\r\n" + content + "\r\n");
        EXPECT_EQ(peer.active, 1);
        peer.connection->fail(Outcome::peer_gone, peer.now);
        EXPECT_EQ(peer.active, 0);
        EXPECT_TRUE(peer.seen.empty());
    }
}

TEST(UnderWay, AHeadThatIsRefusedAtOnceIsNot) {
    for (const std::string head : {"not HTTP\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"}) {
        ConnectionDriver peer{hello};
        peer.receive(head);
        EXPECT_EQ(peer.seen.size(), 1u);
        EXPECT_EQ(peer.active, 0);
    }
}

TEST(Observed, AnIdleConnectionKeepsNothingForIt) {
    Budget budget{1'000'000};
    ConnectionDriver peer{hello};
    peer.workspace.memory = &budget;
    peer.receive(get);
    EXPECT_EQ(peer.seen.size(), 1u);
    EXPECT_EQ(budget.used(), 0u);
}

TEST(Observed, AnAnswerThatIsSentForLongIsToldWithItsOwnRequest) {
    ConnectionDriver peer{[](const Request&) -> Reply {
        Response response;
        response.content(std::string(1'000'000, 'x'));
        return response;
    }};
    peer.send_max = 0;
    peer.receive("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_TRUE(peer.seen.empty());
    Http1Connection other{peer.workspace, peer, peer.now};
    other.receive("GET /other HTTP/1.1\r\nHost: a\r\n\r\n", peer.now);
    other.respond(other.take_request().id(), Response{}, peer.now);
    other.take_ownership(peer.now);
    peer.send_max = ~std::size_t{0};
    peer.drive();
    ASSERT_EQ(peer.seen.size(), 2u);
    EXPECT_EQ(peer.seen[0].target, "/other");
    EXPECT_EQ(peer.seen[1].target, "/long");
}

}  // namespace
}  // namespace weir::http

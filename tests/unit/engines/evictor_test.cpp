#include "engines/peer/evictor.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "engines/peer/completion_queue.h"
#include "engines/peer/connection_limit.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

using http::CloseImpact;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Numbers = std::vector<std::uint64_t>;

constexpr Instant start{seconds{1'000}};

/// Connections of a loop, by number.
class EvictorTest : public ::testing::Test {
   protected:
    /// Its impact has been that for so long.
    void add(std::uint64_t number, CloseImpact impact, milliseconds since) {
        auto& connection = connections[number];
        connection.impact = impact;
        const auto timeout = impact == CloseImpact::idle ? timeouts.keep_alive : timeouts.head;
        connection.deadline(start - since + timeout);
    }
    auto lister() {
        return [this](auto add) {
            for (const auto& [number, connection] : connections) add(number, connection);
        };
    }
    auto ender() {
        return [this](std::uint64_t number) {
            if (has_sent.contains(number)) return false;
            evicted.push_back(number);
            return connections.erase(number) == 1;
        };
    }
    void evict(std::size_t waiting, Instant now = start) {
        evictor.evict(waiting, now, lister(), ender());
    }
    void evict_for_files(Instant now = start) { evictor.evict_for_files(now, lister(), ender()); }
    Numbers taken() { return std::exchange(evicted, {}); }

    http::Timeouts timeouts;
    std::map<std::uint64_t, FakeConnection> connections;
    std::set<std::uint64_t> has_sent;
    Numbers evicted;
    ConnectionLimit limit{2};
    Evictor evictor{limit.evictions(), timeouts};
};

TEST_F(EvictorTest, IdleForLongestGoesFirst) {
    add(1, CloseImpact::idle, seconds{1});
    add(2, CloseImpact::idle, seconds{3});
    add(3, CloseImpact::idle, seconds{2});
    evict(2);
    EXPECT_EQ(evicted, (Numbers{2, 3}));
}

TEST_F(EvictorTest, OfMoreThanItCanRememberTheFirstGo) {
    constexpr std::uint64_t count = 4 * Evictor::listed_max, prime = 7;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t number = i * prime % count;  // in no order
        add(number, CloseImpact::idle, seconds{count + 1 - number});
    }
    has_sent = {1, 2};
    evict(3);
    EXPECT_EQ(evicted, (Numbers{0, 3, 4}));
}

TEST_F(EvictorTest, IdleOnesGoBeforeManyThatAreUnfinished) {
    for (std::uint64_t number = 1; number <= 2 * Evictor::listed_max; ++number)
        add(number, CloseImpact::unfinished, seconds{1} + milliseconds{number});
    evict(1);
    add(9'999, CloseImpact::idle, seconds{1});
    evict(3);
    EXPECT_EQ(evicted, (Numbers{9'999, 1, 2}));
}

TEST_F(EvictorTest, OneThatIsLeavingCountsAlready) {
    add(1, CloseImpact::leaving, seconds{1});
    add(2, CloseImpact::idle, seconds{1});
    evict(1);
    EXPECT_EQ(taken(), Numbers{});
    evict(2);
    EXPECT_EQ(taken(), Numbers{2});
}

TEST_F(EvictorTest, OneThatWasBusyAMomentAgoStays) {
    add(1, CloseImpact::idle, Evictor::grace - milliseconds{1});
    add(2, CloseImpact::working, seconds{9});
    evict(1);
    evict(1);
    EXPECT_EQ(evicted, Numbers{});
    evict(1, start + milliseconds{1});
    EXPECT_EQ(evicted, Numbers{1});
}

TEST_F(EvictorTest, OneThatHasSentARequestStays) {
    add(1, CloseImpact::idle, seconds{2});
    add(2, CloseImpact::idle, seconds{1});
    has_sent = {1};
    evict(1);
    EXPECT_EQ(evicted, Numbers{2});
}

TEST_F(EvictorTest, NewestUnfinishedGoesWhereNoneIsIdleForASecondTime) {
    add(1, CloseImpact::unfinished, seconds{3});
    add(2, CloseImpact::unfinished, seconds{1});
    add(3, CloseImpact::unfinished, milliseconds{1});
    evict(1);
    EXPECT_EQ(taken(), Numbers{});
    evict(1, start + ConnectionLimit::pause);
    EXPECT_EQ(taken(), Numbers{2});
    add(4, CloseImpact::idle, seconds{1});
    evict(1, start + ConnectionLimit::pause);
    EXPECT_EQ(taken(), Numbers{4}) << "idle ones go first at any time";
}

TEST_F(EvictorTest, AWhileLaterTheSearchBeginsAnew) {
    add(1, CloseImpact::unfinished, seconds{3});
    evict(1);
    evict(1, start + seconds{2});
    EXPECT_EQ(evicted, Numbers{});
}

TEST_F(EvictorTest, OfTooFewTheOtherLoopsAreAsked) {
    const auto queue = std::make_shared<CompletionQueue>();
    evictor.join(queue);
    Evictor other{limit.evictions(), timeouts};
    const auto queue_of_other = std::make_shared<CompletionQueue>();
    other.join(queue_of_other);

    const auto no_connections = [](auto /*add*/) {};
    other.evict(3, start, no_connections, [](std::uint64_t) { return false; });
    EXPECT_TRUE(queue_of_other->collect().empty());
    EXPECT_EQ(queue->collect().size(), 1u) << "it is woken";
    EXPECT_FALSE(other.is_due(0)) << "it has looked";
    ASSERT_TRUE(evictor.is_due(0));
    add(1, CloseImpact::idle, seconds{1});
    add(2, CloseImpact::idle, seconds{2});
    evict(0);
    EXPECT_EQ(taken(), (Numbers{2, 1}));
    EXPECT_FALSE(evictor.is_due(0));
    EXPECT_EQ(limit.evictions().claim().count, 1u) << "the rest is left to others";
}

TEST_F(EvictorTest, FilesCostAnyThatIsIdleAndNoOther) {
    net::Descriptors& descriptors = net::descriptors();
    ASSERT_TRUE(descriptors.measure());
    std::vector<net::FileShare> files(descriptors.limit() - descriptors.used());
    for (auto& file : files) ASSERT_TRUE(file.take());
    ASSERT_TRUE(evictor.is_due(0));
    add(1, CloseImpact::unfinished, seconds{3});
    add(2, CloseImpact::idle, milliseconds{0});
    evict_for_files();
    EXPECT_EQ(taken(), Numbers{2});
    add(3, CloseImpact::idle, milliseconds{0});
    evict_for_files();
    EXPECT_EQ(taken(), Numbers{}) << "it was looked a moment ago";
    evict_for_files(start + ConnectionLimit::pause);
    EXPECT_EQ(taken(), Numbers{3});
    files.clear();
    EXPECT_FALSE(evictor.is_due(0) && descriptors.is_short());
}

TEST(EvictionRequests, OneOfManyThreadsTakesOne) {
    EvictionRequests requests;
    EXPECT_EQ(requests.descriptor(true), -1);
    ASSERT_FALSE(requests.open());
    requests.ask(2, EvictionScope::idle_past_grace);
    EXPECT_FALSE(requests.claim_one(false));
    EXPECT_TRUE(requests.claim_one(true));
    EXPECT_TRUE(requests.claim_one(true));
    EXPECT_FALSE(requests.claim_one(true));
    requests.ask(5, EvictionScope::past_grace);
    requests.ask(1, EvictionScope::past_grace);
    EXPECT_TRUE(requests.claim_one(false));
    EXPECT_FALSE(requests.claim_one(false)) << "what was asked before is forgotten";
}

}  // namespace
}  // namespace weir::engines

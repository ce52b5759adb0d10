#include "engines/peer/giving_way.h"

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

using http::Standing;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Numbers = std::vector<std::uint64_t>;

constexpr Instant start{seconds{1'000}};

/// Connections of a loop, by number.
class CrowdOfFakes : public ::testing::Test, public Crowd {
   protected:
    /// It has stood so for that long.
    void add(std::uint64_t number, Standing standing, milliseconds since) {
        auto& connection = connections[number];
        connection.stands = standing;
        const auto timeout = standing == Standing::idle ? timeouts.keep_alive : timeouts.head;
        connection.deadline(start - since + timeout);
    }
    void add_all(Candidates& candidates) override {
        for (const auto& [number, connection] : connections) candidates.add(number, connection);
    }
    bool give_up(std::uint64_t number) override {
        if (has_sent.contains(number)) return false;
        given.push_back(number);
        return connections.erase(number) == 1;
    }
    Numbers taken() { return std::exchange(given, {}); }

    http::Timeouts timeouts;
    std::map<std::uint64_t, FakeConnection> connections;
    std::set<std::uint64_t> has_sent;
    Numbers given;
    ConnectionLimit limit{2};
    GivingWay giving_way{limit.room(), timeouts};
};

struct Nobody final : Crowd {
    void add_all(Candidates& /*candidates*/) override {}
    bool give_up(std::uint64_t /*number*/) override { return false; }
};

TEST_F(CrowdOfFakes, IdleForLongestGoesFirst) {
    add(1, Standing::idle, seconds{1});
    add(2, Standing::idle, seconds{3});
    add(3, Standing::idle, seconds{2});
    giving_way.make_room(2, start, *this);
    EXPECT_EQ(given, (Numbers{2, 3}));
}

TEST_F(CrowdOfFakes, WhoWasBusyAMomentAgoStays) {
    add(1, Standing::idle, Candidates::grace - milliseconds{1});
    add(2, Standing::working, seconds{9});
    giving_way.make_room(1, start, *this);
    giving_way.make_room(1, start, *this);
    EXPECT_EQ(given, Numbers{});
    giving_way.make_room(1, start + milliseconds{1}, *this);
    EXPECT_EQ(given, Numbers{1});
}

TEST_F(CrowdOfFakes, WhoHasSentARequestStays) {
    add(1, Standing::idle, seconds{2});
    add(2, Standing::idle, seconds{1});
    has_sent = {1};
    giving_way.make_room(1, start, *this);
    EXPECT_EQ(given, Numbers{2});
}

TEST_F(CrowdOfFakes, NewestUnfinishedGoesWhereNobodyRestsForASecondTime) {
    add(1, Standing::unfinished, seconds{3});
    add(2, Standing::unfinished, seconds{1});
    add(3, Standing::unfinished, milliseconds{1});
    giving_way.make_room(1, start, *this);
    EXPECT_EQ(taken(), Numbers{});
    giving_way.make_room(1, start + ConnectionLimit::pause, *this);
    EXPECT_EQ(taken(), Numbers{2});
    add(4, Standing::idle, seconds{1});
    giving_way.make_room(1, start + ConnectionLimit::pause, *this);
    EXPECT_EQ(taken(), Numbers{4}) << "idle ones go first at any time";
}

TEST_F(CrowdOfFakes, AWhileLaterTheSearchBeginsAnew) {
    add(1, Standing::unfinished, seconds{3});
    giving_way.make_room(1, start, *this);
    giving_way.make_room(1, start + seconds{2}, *this);
    EXPECT_EQ(given, Numbers{});
}

TEST_F(CrowdOfFakes, WhatOneLoopCanNotGiveIsAskedOfTheOthers) {
    const auto queue = std::make_shared<CompletionQueue>();
    giving_way.join(queue);
    GivingWay other{limit.room(), timeouts};
    const auto queue_of_other = std::make_shared<CompletionQueue>();
    other.join(queue_of_other);

    Nobody nobody;
    other.make_room(3, start, nobody);
    EXPECT_TRUE(queue_of_other->collect().empty());
    EXPECT_EQ(queue->collect().size(), 1u) << "it is woken";
    EXPECT_FALSE(other.is_due(0)) << "it has looked";
    ASSERT_TRUE(giving_way.is_due(0));
    add(1, Standing::idle, seconds{1});
    add(2, Standing::idle, seconds{2});
    giving_way.make_room(0, start, *this);
    EXPECT_EQ(taken(), (Numbers{2, 1}));
    EXPECT_FALSE(giving_way.is_due(0));
    EXPECT_EQ(limit.room().claim().count, 1u) << "the rest is left to others";
}

TEST_F(CrowdOfFakes, FilesCostAnyThatIsIdleAndNoOther) {
    net::Descriptors& descriptors = net::descriptors();
    ASSERT_TRUE(descriptors.measure());
    std::vector<net::FileShare> files(descriptors.limit() - descriptors.used());
    for (auto& file : files) ASSERT_TRUE(file.take());
    ASSERT_TRUE(giving_way.is_due(0));
    add(1, Standing::unfinished, seconds{3});
    add(2, Standing::idle, milliseconds{0});
    giving_way.make_room_for_files(start, *this);
    EXPECT_EQ(taken(), Numbers{2});
    add(3, Standing::idle, milliseconds{0});
    giving_way.make_room_for_files(start, *this);
    EXPECT_EQ(taken(), Numbers{}) << "it was looked a moment ago";
    giving_way.make_room_for_files(start + ConnectionLimit::pause, *this);
    EXPECT_EQ(taken(), Numbers{3});
    files.clear();
    EXPECT_FALSE(giving_way.is_due(0) && descriptors.is_short());
}

TEST(RoomRequests, OneOfManyThreadsTakesOne) {
    RoomRequests room;
    EXPECT_EQ(room.descriptor(true), -1);
    ASSERT_FALSE(room.open());
    room.ask(2, Reach::resting);
    EXPECT_FALSE(room.claim_one(false));
    EXPECT_TRUE(room.claim_one(true));
    EXPECT_TRUE(room.claim_one(true));
    EXPECT_FALSE(room.claim_one(true));
    room.ask(5, Reach::resting_or_unfinished);
    room.ask(1, Reach::resting_or_unfinished);
    EXPECT_TRUE(room.claim_one(false));
    EXPECT_FALSE(room.claim_one(false)) << "what was asked before is forgotten";
}

}  // namespace
}  // namespace weir::engines

#include "engines/threads/peer_time_slice.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <string>

#include "unit/engines/before_a_queue.h"
#include "unit/engines/fake_connection.h"

namespace weir::engines {
namespace {

using http::CloseImpact;
using Verdict = PeerTimeSlice::Verdict;

class PatienceTest : public BeforeAQueue {
   protected:
    PatienceTest() {
        auto fake = std::make_unique<FakeConnection>();
        connection = fake.get();
        peer.connection = std::move(fake);
        theirs = net::UniqueFd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
        const auto& address = listener.address();
        EXPECT_EQ(::connect(theirs.get(), address.data(), address.size()), 0);
        peer.socket = net::accept_connection(listener.fd()).socket;
    }

    void begin(CloseImpact impact) {
        connection->impact = impact;
        patience.look(peer, now);
    }
    /// When patience has ended, while others wait.
    Verdict next(bool is_retired) {
        now.instant = patience.ends_at();
        patience.look(peer, now);
        return patience.judge(peer, is_retired, now);
    }
    void move(std::uint64_t bytes) const {
        const std::string sent(bytes, 'x');
        std::string got(bytes, '-');
        ::fcntl(peer.socket.get(), F_SETFL, 0);  // to wait in recv
        ASSERT_EQ(::send(theirs.get(), sent.data(), bytes, 0), static_cast<ssize_t>(bytes));
        ASSERT_EQ(::recv(peer.socket.get(), got.data(), bytes, MSG_WAITALL),
                  static_cast<ssize_t>(bytes));
    }

    PeerTimeSlice patience;
    Peer peer;
    FakeConnection* connection;
    net::UniqueFd theirs;
    Now now{};
};

TEST_F(PatienceTest, EveryoneIsRetiredFirst) {
    for (const auto impact : {CloseImpact::idle, CloseImpact::unfinished, CloseImpact::working}) {
        ++peer.generation;
        begin(impact);
        EXPECT_EQ(patience.ends_at(), now.instant + PeerTimeSlice::length);
        EXPECT_EQ(next(false), Verdict::retire);
    }
}

TEST_F(PatienceTest, AHeadThatIsStillDueIsThenCut) {
    begin(CloseImpact::unfinished);
    next(false);
    EXPECT_EQ(patience.ends_at(), now.instant + PeerTimeSlice::length);
    EXPECT_EQ(next(true), Verdict::cut);
}

TEST_F(PatienceTest, ASilentOneEndsByItself) {
    begin(CloseImpact::idle);
    next(false);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(next(true), Verdict::stay);
}

TEST_F(PatienceTest, ATransferGoesOnAsLongAsItKeepsPace) {
    begin(CloseImpact::working);
    move(1);
    next(false);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(patience.ends_at(), now.instant + PeerTimeSlice::transfer_length);
        move(PeerTimeSlice::pace_bytes_min);
        EXPECT_EQ(next(true), Verdict::stay);
    }
    move(PeerTimeSlice::pace_bytes_min - 1);
    EXPECT_EQ(next(true), Verdict::cut);
}

TEST_F(PatienceTest, WhatWasMovedBeforeDoesNotCount) {
    begin(CloseImpact::working);
    for (int i = 0; i < 20; ++i) move(PeerTimeSlice::pace_bytes_min);
    next(false);
    EXPECT_EQ(next(true), Verdict::cut);
}

TEST_F(PatienceTest, APeerThatBeginsSomethingElseHasItsTimeAnew) {
    begin(CloseImpact::unfinished);
    next(false);
    begin(CloseImpact::working);
    EXPECT_EQ(patience.ends_at(), now.instant + PeerTimeSlice::length);
    EXPECT_EQ(next(true), Verdict::stay) << "the pace is looked at for the first time";
    EXPECT_EQ(next(true), Verdict::cut);
}

TEST_F(PatienceTest, OneRequestAfterTheOtherIsNothingElse) {
    begin(CloseImpact::idle);
    const Instant ends_at = patience.ends_at();
    now.instant += PeerTimeSlice::length / 2;
    patience.look(peer, now);
    EXPECT_EQ(patience.ends_at(), ends_at);
    ++peer.generation;
    patience.look(peer, now);
    EXPECT_GT(patience.ends_at(), ends_at);
}

TEST_F(PatienceTest, AUnixSocketIsNotMeasured) {
    std::array<int, 2> pair{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
    peer.socket = net::UniqueFd{pair[0]};
    theirs = net::UniqueFd{pair[1]};
    begin(CloseImpact::working);
    next(false);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(next(true), Verdict::stay);
}

}  // namespace
}  // namespace weir::engines

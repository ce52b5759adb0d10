#include "engines/peer/inbox.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "engines/peer/peer.h"
#include "support/readable.h"

namespace weir::engines {
namespace {

using tests::is_readable;

struct Returned {
    Peer* peer;
    bool goes_on;
};

TEST(Inbox, IsReadableUntilCollected) {
    Inbox<Returned> returns;
    EXPECT_FALSE(is_readable(returns.fd()));
    EXPECT_TRUE(returns.collect().empty());
    std::array<Peer, 2> peers;
    returns.put({&peers[0], true});
    returns.put({&peers[1], false});
    EXPECT_TRUE(is_readable(returns.fd()));
    const auto returned = returns.collect();
    ASSERT_EQ(returned.size(), 2u);
    EXPECT_EQ(returned[0].peer, &peers[0]);
    EXPECT_TRUE(returned[0].goes_on);
    EXPECT_EQ(returned[1].peer, &peers[1]);
    EXPECT_FALSE(returned[1].goes_on);
    EXPECT_FALSE(is_readable(returns.fd()));
}

TEST(Inbox, WakesFromAnotherThread) {
    Inbox<Returned> returns;
    Peer peer;
    std::thread thread{[&] {
        peer.readable = true;
        returns.put({&peer, false});
    }};
    EXPECT_TRUE(is_readable(returns.fd(), -1));
    ASSERT_EQ(returns.collect().size(), 1u);
    EXPECT_TRUE(peer.readable);  // what the thread did to it is seen
    thread.join();
}

TEST(Inbox, TakesNothingOnceItIsClosed) {
    Inbox<std::vector<int>> inbox;
    EXPECT_TRUE(inbox.put({1}));
    inbox.collect();
    inbox.close();
    EXPECT_TRUE(is_readable(inbox.fd()));
    EXPECT_TRUE(inbox.is_closed());
    std::vector<int> late{2};
    EXPECT_FALSE(inbox.put(std::move(late)));
    EXPECT_EQ(late.size(), 1u);  // NOLINT(bugprone-use-after-move): untouched
    EXPECT_TRUE(inbox.collect().empty());
}

TEST(Inbox, IsNotClosedWhileThereIsSomethingInIt) {
    Inbox<int> inbox;
    inbox.put(1);
    inbox.close();
    EXPECT_FALSE(inbox.is_closed());
    EXPECT_EQ(inbox.collect().size(), 1u);
    EXPECT_TRUE(inbox.is_closed());
}

TEST(Inbox, WhatMustNotGetLostComesFromAnotherThread) {
    Inbox<int> inbox;
    std::thread thread{[&] {
        for (int i = 0; i < 100; ++i) inbox.put_surely(int{i});
    }};
    int seen = 0;
    while (seen < 100)
        for (const int each : inbox.collect()) EXPECT_EQ(each, seen++);
    thread.join();
    EXPECT_FALSE(inbox.is_closed());
}

TEST(Inbox, TwoBuffersTakeTurns) {
    Inbox<int> inbox;
    std::array<const int*, 4> buffers{};
    for (const int*& buffer : buffers) {
        inbox.put(1);
        buffer = inbox.collect().data();
    }
    EXPECT_NE(buffers[0], buffers[1]);
    EXPECT_EQ(buffers[0], buffers[2]);
    EXPECT_EQ(buffers[1], buffers[3]);
}

TEST(Inbox, TheMemoryOfABurstGoes) {
    constexpr int burst = 1'000;
    Inbox<int> inbox;
    for (int i = 0; i < burst; ++i) inbox.put(int{i});
    EXPECT_EQ(inbox.collect().size(), std::size_t{burst});
    for (int i = 0; i < 2; ++i) EXPECT_LT(inbox.collect().capacity(), std::size_t{burst});
}

/// There is no memory for it, once.
struct Scarce {
    Scarce() = default;
    Scarce(Scarce&&) {
        if (is_missing.exchange(false)) throw std::bad_alloc{};
    }
    static inline std::atomic<bool> is_missing = false;
};

TEST(Inbox, AfterAShortageAnEmptyOneIsNotReadFrom) {
    Inbox<Scarce> inbox;
    Scarce::is_missing = true;
    std::thread thread{[&] { inbox.put_surely(Scarce{}); }};
    while (inbox.collect().empty()) std::this_thread::yield();
    thread.join();
    EXPECT_FALSE(Scarce::is_missing);
    EXPECT_TRUE(inbox.collect().empty());
    // A signal that is not the inbox's own stays, for nothing is there to be collected.
    const std::uint64_t one = 1;
    ASSERT_EQ(::write(inbox.fd(), &one, sizeof one), ssize_t{sizeof one});
    EXPECT_TRUE(inbox.collect().empty());
    EXPECT_TRUE(is_readable(inbox.fd()));
}

}  // namespace
}  // namespace weir::engines

#include "net/ring/ring.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "connected_pair.h"
#include "net/unique_fd.h"

namespace weir::net {
namespace {

using Features = Ring::Features;

constexpr Features none{.deferred_work = false, .receive_many = false, .send_quietly = false};
constexpr int for_ever = -1;
constexpr int not_at_all = 0;

/// Each test runs with all that this kernel has, and with nothing that not all have.
struct RingTest : ::testing::TestWithParam<Features> {
    void SetUp() override {
        if (const auto error = open(64, 128)) GTEST_SKIP() << error.message();
        ASSERT_FALSE(ring.enable());
    }
    std::error_code open(unsigned operations, unsigned completions) {
        return ring.open(operations, completions, GetParam());
    }
    Ring::Completion next() {
        const auto completions = ring.wait(for_ever);
        EXPECT_EQ(completions.size(), 1u);
        return completions.empty() ? Ring::Completion{} : completions.front();
    }

    Ring ring;
};
INSTANTIATE_TEST_SUITE_P(With, RingTest, ::testing::Values(Features{}, none), [](const auto& with) {
    return with.param.deferred_work ? "all_features" : "none";
});

/// What the kernel says to those who ask it directly.
bool kernel_defers_work() {
    io_uring_params params{};
    params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
    return UniqueFd{static_cast<int>(::syscall(SYS_io_uring_setup, 8, &params))}.get() >= 0;
}

TEST_P(RingTest, HasWhatItWasAskedForAndTheKernelKnows) {
    EXPECT_EQ(ring.features().deferred_work, GetParam().deferred_work && kernel_defers_work());
}

TEST_P(RingTest, WhatIsAskedForComesBackWithWhatItIsAbout) {
    ring.no_operation(7);
    const auto completion = next();
    EXPECT_EQ(completion.about, 7u);
    EXPECT_EQ(completion.result, 0);
    EXPECT_TRUE(completion.is_last());
    EXPECT_FALSE(completion.buffer());
}

TEST_P(RingTest, NothingComesWhenTheTimeIsOver) {
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    EXPECT_TRUE(ring.wait(1).empty());
}

TEST_P(RingTest, MoreThanHasRoomOnTheWayThere) {
    std::map<std::uint64_t, int> seen;
    for (std::uint64_t about = 0; about < 1000; ++about) ring.no_operation(about);
    while (seen.size() < 1000)
        for (const auto& completion : ring.wait(for_ever)) ++seen[completion.about];
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    for (const auto& [about, count] : seen) EXPECT_EQ(count, 1) << about;
}

TEST_P(RingTest, MoreThanHasRoomOnTheWayBackComesInOrder) {
    Ring small;
    ASSERT_FALSE(small.open(2, 4, GetParam()));
    ASSERT_FALSE(small.enable());
    for (std::uint64_t about = 0; about < 100; ++about) small.no_operation(about);
    std::uint64_t expected = 0;
    while (expected < 100)
        for (const auto& completion : small.wait(for_ever)) EXPECT_EQ(completion.about, expected++);
    EXPECT_TRUE(small.wait(not_at_all).empty());
}

TEST_P(RingTest, WhatIsCanceledEndsAndSaysSo) {
    const UniqueFd never_readable{::eventfd(0, EFD_CLOEXEC)};
    ring.poll(never_readable.get(), POLLIN, 1);
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    ring.cancel(1, 2);
    std::map<std::uint64_t, int> results;
    while (results.size() < 2)
        for (const auto& completion : ring.wait(for_ever))
            results[completion.about] = completion.result;
    EXPECT_EQ(results[1], -ECANCELED);
    EXPECT_EQ(results[2], 0);
}

TEST_P(RingTest, CancelingWhatIsNotThere) {
    ring.cancel(1, 2);
    EXPECT_EQ(next().result, -ENOENT);
}

TEST_P(RingTest, PollsOnce) {
    const UniqueFd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    ring.poll(event.get(), POLLIN, 1);
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    ASSERT_EQ(::eventfd_write(event.get(), 1), 0);
    const auto completion = next();
    EXPECT_TRUE(completion.result & POLLIN);
    EXPECT_TRUE(completion.is_last());
    EXPECT_TRUE(ring.wait(not_at_all).empty());
}

TEST_P(RingTest, IsDrainedWhenEverythingWasSubmittedAndReturned) {
    EXPECT_TRUE(ring.is_drained());
    ring.no_operation(1);
    EXPECT_FALSE(ring.is_drained());
    EXPECT_FALSE(ring.wait(for_ever).empty());
    EXPECT_TRUE(ring.is_drained());
}

TEST_P(RingTest, IsNotDrainedWhileCompletionsHadNoRoom) {
    Ring small;
    ASSERT_FALSE(small.open(2, 4, GetParam()));
    ASSERT_FALSE(small.enable());
    for (std::uint64_t about = 0; about < 100; ++about) small.no_operation(about);
    std::size_t taken = 0;
    while (taken < 100) {
        EXPECT_FALSE(small.is_drained());
        taken += small.wait(for_ever).size();
    }
    EXPECT_TRUE(small.is_drained());
}

/// Sending of which only failures are told.
struct RingSendTest : ::testing::Test {
    void SetUp() override {
        if (const auto error = ring.open(64, 128, {})) GTEST_SKIP() << error.message();
        if (!ring.features().send_quietly) GTEST_SKIP() << "this kernel can't";
        ASSERT_FALSE(ring.enable());
    }
    Ring ring;
};

TEST_F(RingSendTest, WhatIsSentWholeIsNotTold) {
    const auto [here, there] = connected_pair();
    ring.send_quietly(here.get(), "one ", 1);
    ring.send_quietly(here.get(), "two", 2);
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    EXPECT_TRUE(ring.is_drained());
    std::array<char, 32> buffer{};
    EXPECT_EQ(::recv(there.get(), buffer.data(), buffer.size(), 0), 7);
    EXPECT_STREQ(buffer.data(), "one two");
}

TEST_F(RingSendTest, WhatIsSentInPartIsToldAtOnce) {
    const auto [here, there] = connected_pair();
    const std::string much(16 * 1024 * 1024, 'x');
    ring.send_quietly(here.get(), much, 1);
    const auto completions = ring.wait(not_at_all);
    ASSERT_EQ(completions.size(), 1u);
    EXPECT_EQ(completions[0].about, 1u);
    EXPECT_GT(completions[0].result, 0);
    EXPECT_LT(completions[0].result, static_cast<int>(much.size()));
    ring.send_quietly(here.get(), much, 2);
    const auto none_at_all = ring.wait(not_at_all);
    ASSERT_EQ(none_at_all.size(), 1u);
    EXPECT_EQ(none_at_all[0].result, -EAGAIN);
}

TEST_F(RingSendTest, SendingToNobodyFails) {
    auto [here, there] = connected_pair();
    there.reset();
    ring.send_quietly(here.get(), "text", 1);
    const auto completions = ring.wait(not_at_all);
    ASSERT_EQ(completions.size(), 1u);
    EXPECT_EQ(completions[0].result, -EPIPE);
}

}  // namespace
}  // namespace weir::net

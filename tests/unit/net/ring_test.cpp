#include "net/ring.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <map>
#include <string>
#include <vector>

#include "connected_pair.h"
#include "net/listener.h"
#include "net/unique_fd.h"

namespace weir::net {
namespace {

using Features = Ring::Features;

constexpr Features none{.deferred_work = false, .accept_many = false, .receive_many = false};
constexpr int for_ever = -1;
constexpr int not_at_all = 0;

/// Each test runs with all features of this kernel, and without any optional feature.
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
    ring.poll(never_readable.get(), POLLIN, false, 1);
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

TEST_P(RingTest, PollsOnceOrAtEachChange) {
    const UniqueFd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    ring.poll(event.get(), POLLIN, false, 1);
    ASSERT_EQ(::eventfd_write(event.get(), 1), 0);
    auto completion = next();
    EXPECT_TRUE(completion.result & POLLIN);
    EXPECT_TRUE(completion.is_last());
    eventfd_t value = 0;
    ASSERT_EQ(::eventfd_read(event.get(), &value), 0);

    ring.poll(event.get(), POLLIN, true, 2);
    EXPECT_TRUE(ring.wait(not_at_all).empty());
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(::eventfd_write(event.get(), 1), 0);
        completion = next();
        EXPECT_EQ(completion.about, 2u);
        EXPECT_FALSE(completion.is_last());
        ASSERT_EQ(::eventfd_read(event.get(), &value), 0);
    }
}

TEST_P(RingTest, SendsOnePartAndSeveral) {
    const auto [here, there] = connected_pair();
    ring.send(here.get(), "one ", MSG_NOSIGNAL, 1);
    EXPECT_EQ(next().result, 4);
    std::array<iovec, 2> parts{iovec{const_cast<char*>("two "), 4},
                               iovec{const_cast<char*>("three"), 5}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    ring.send(here.get(), message, MSG_NOSIGNAL, 2);
    EXPECT_EQ(next().result, 9);
    std::array<char, 32> buffer{};
    EXPECT_EQ(::recv(there.get(), buffer.data(), buffer.size(), 0), 13);
    EXPECT_STREQ(buffer.data(), "one two three");
}

TEST_P(RingTest, SendingToNobodyFails) {
    auto [here, there] = connected_pair();
    there.reset();
    ring.send(here.get(), "text", MSG_NOSIGNAL, 1);
    EXPECT_EQ(next().result, -EPIPE);
}

TEST_P(RingTest, SendWaitsForSpaceWithoutKeepingAnybody) {
    const auto [here, there] = connected_pair();
    const std::string much(64 * 1024, 'x');
    while (::send(here.get(), much.data(), much.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {}
    ring.send(here.get(), "y", MSG_NOSIGNAL, 1);
    ring.no_operation(2);
    EXPECT_EQ(next().about, 2u);
    std::string buffer(1 << 20, '\0');
    while (::recv(there.get(), buffer.data(), buffer.size(), MSG_DONTWAIT) > 0) {}
    const auto completion = next();
    EXPECT_EQ(completion.about, 1u);
    EXPECT_EQ(completion.result, 1);
}

TEST_P(RingTest, AcceptsOneOrMany) {
    auto listener = Listener::open(Address::parse("127.0.0.1", 0).value()).value();
    ASSERT_EQ(::fcntl(listener.fd(), F_SETFL, 0), 0);  // without O_NONBLOCK
    const bool many = ring.features().accept_many;
    std::vector<UniqueFd> clients;
    for (int i = 0; i < 3; ++i) {
        if (i == 0 || !many) ring.accept(listener.fd(), many, 1);
        EXPECT_TRUE(ring.wait(not_at_all).empty());
        clients.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
        const auto& address = listener.address();
        ASSERT_EQ(::connect(clients.back().get(), address.data(), address.size()), 0);
        const auto completion = next();
        EXPECT_EQ(completion.is_last(), !many);
        const UniqueFd accepted{completion.result};
        EXPECT_TRUE(accepted);
        EXPECT_EQ(::fcntl(accepted.get(), F_GETFD), FD_CLOEXEC);
    }
}

}  // namespace
}  // namespace weir::net

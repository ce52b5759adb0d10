#include "engines/peer/completion_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "support/readable.h"

namespace weir::engines {
namespace {

using tests::is_readable;

http::Response response_with(const std::shared_ptr<int>& owner) {
    http::Response response;
    response.retain(owner);
    return response;
}

TEST(CompletionQueue, IsEmptyAtFirst) {
    CompletionQueue completions;
    EXPECT_FALSE(is_readable(completions.fd()));
    EXPECT_TRUE(completions.collect().empty());
}

TEST(CompletionQueue, KeepsThemInOrder) {
    CompletionQueue completions;
    completions.wake({7, 1});
    completions.answer({8, 2}, http::Response{http::Status::created});
    EXPECT_TRUE(is_readable(completions.fd()));
    auto collected = completions.collect();
    ASSERT_EQ(collected.size(), 2u);
    EXPECT_EQ(collected[0].ticket(), (http::Ticket{7, 1}));
    EXPECT_FALSE(collected[0].take());
    EXPECT_EQ(collected[1].ticket(), (http::Ticket{8, 2}));
    const auto answer = collected[1].take();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status(), http::Status::created);
}

TEST(CompletionQueue, IsReadableUntilCollectedAndAgainAfterwards) {
    CompletionQueue completions;
    for (int round = 0; round < 2; ++round) {
        completions.wake({1, 1});
        EXPECT_TRUE(is_readable(completions.fd()));
        EXPECT_EQ(completions.collect().size(), 1u);
        EXPECT_FALSE(is_readable(completions.fd()));
    }
}

TEST(CompletionQueue, LosesNothingThatManyPost) {
    constexpr std::size_t posters = 4;
    constexpr std::size_t completions_each = 1'000;
    constexpr int for_ever = -1;
    CompletionQueue completions;
    std::vector<std::jthread> threads;
    for (std::size_t poster = 0; poster < posters; ++poster)
        threads.emplace_back([&completions, poster] {
            for (std::size_t i = 0; i < completions_each; ++i) completions.wake({poster, 0});
        });
    std::vector<std::size_t> received(posters);
    std::size_t total = 0;
    while (total < posters * completions_each) {
        ASSERT_TRUE(is_readable(completions.fd(), for_ever));
        for (const auto& completion : completions.collect()) {
            ++received[completion.ticket().connection];
            ++total;
        }
    }
    EXPECT_EQ(received, std::vector<std::size_t>(posters, completions_each));
    EXPECT_TRUE(completions.collect().empty());
}

TEST(CompletionQueue, DropsThemOnceItsOwnerHasGone) {
    CompletionQueue completions;
    const auto before = std::make_shared<int>(1);
    const auto after = std::make_shared<int>(2);
    completions.answer({1, 1}, response_with(before));
    completions.close();
    EXPECT_EQ(before.use_count(), 1);
    completions.answer({1, 1}, response_with(after));
    EXPECT_EQ(after.use_count(), 1);
    EXPECT_FALSE(is_readable(completions.fd()) && !completions.collect().empty());
}

/// Notes its last call.
class NotingSource final : public http::Source {
   public:
    explicit NotingSource(std::vector<http::Outcome>& calls) : calls_{calls} {}
    Pulled pull(std::span<char>) override { return End{}; }
    void done(http::Outcome outcome) noexcept override { calls_.push_back(outcome); }

   private:
    std::vector<http::Outcome>& calls_;
};

http::Response response_of(std::vector<http::Outcome>& calls) {
    http::Response response;
    response.content(std::make_unique<NotingSource>(calls));
    return response;
}

using Calls = std::vector<http::Outcome>;

TEST(CompletionQueue, TheSourceOfADroppedResponseGetsItsLastCall) {
    Calls calls;
    CompletionQueue completions;
    completions.answer({1, 1}, response_of(calls));
    completions.close();
    EXPECT_EQ(calls, Calls{http::Outcome::stopped});
    completions.answer({1, 1}, response_of(calls));
    EXPECT_EQ(calls, Calls(2, http::Outcome::stopped));
}

TEST(CompletionQueue, TheSourceOfAResponseForNobodyGetsItsLastCall) {
    Calls calls;
    CompletionQueue completions;
    completions.answer({1, 1}, response_of(calls));
    completions.collect().clear();
    EXPECT_EQ(calls, Calls{http::Outcome::peer_gone});
}

/// Posts a wake-up in its last call.
class WakingSource final : public http::Source {
   public:
    explicit WakingSource(CompletionQueue& queue) : queue_{queue} {}
    Pulled pull(std::span<char>) override { return End{}; }
    void done(http::Outcome) noexcept override { queue_.wake({1, 1}); }

   private:
    CompletionQueue& queue_;
};

TEST(CompletionQueue, TheLastCallMayUseIt) {
    CompletionQueue completions;
    const auto post = [&] {
        http::Response response;
        response.content(std::make_unique<WakingSource>(completions));
        completions.answer({1, 1}, std::move(response));
    };
    post();
    completions.collect().clear();
    EXPECT_EQ(completions.collect().size(), 1u);
    post();
    completions.close();
    post();  // dropped at once
}

TEST(CompletionQueue, ATakenResponseGetsNoCall) {
    Calls calls;
    CompletionQueue completions;
    completions.answer({1, 1}, response_of(calls));
    const auto answer = completions.collect().front().take();
    EXPECT_TRUE(answer);
    EXPECT_EQ(calls, Calls{});
}

}  // namespace
}  // namespace weir::engines

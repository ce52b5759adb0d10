#include "engines/mailbox.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <memory>
#include <thread>
#include <vector>

namespace weir::engines {
namespace {

bool has_mail(const Mailbox& mailbox, int milliseconds = 0) {
    pollfd watched{mailbox.fd(), POLLIN, 0};
    return ::poll(&watched, 1, milliseconds) == 1;
}

http::Response response_with(const std::shared_ptr<int>& owner) {
    http::Response response;
    response.retain(owner);
    return response;
}

TEST(Mailbox, IsEmptyAtFirst) {
    Mailbox mailbox;
    EXPECT_FALSE(has_mail(mailbox));
    EXPECT_TRUE(mailbox.collect().empty());
}

TEST(Mailbox, KeepsLettersInOrder) {
    Mailbox mailbox;
    mailbox.wake(7);
    mailbox.answer(8, http::Response{http::Status::created});
    EXPECT_TRUE(has_mail(mailbox));
    const auto letters = mailbox.collect();
    ASSERT_EQ(letters.size(), 2u);
    EXPECT_EQ(letters[0].ticket, 7u);
    EXPECT_FALSE(letters[0].answer);
    EXPECT_EQ(letters[1].ticket, 8u);
    ASSERT_TRUE(letters[1].answer);
    EXPECT_EQ(letters[1].answer->status(), http::Status::created);
}

TEST(Mailbox, IsReadableUntilCollectedAndAgainAfterwards) {
    Mailbox mailbox;
    for (int round = 0; round < 2; ++round) {
        mailbox.wake(1);
        EXPECT_TRUE(has_mail(mailbox));
        EXPECT_EQ(mailbox.collect().size(), 1u);
        EXPECT_FALSE(has_mail(mailbox));
    }
}

TEST(Mailbox, LosesNothingThatManyPost) {
    constexpr std::size_t posters = 4;
    constexpr std::size_t letters_each = 1'000;
    constexpr int for_ever = -1;
    Mailbox mailbox;
    std::vector<std::jthread> threads;
    for (std::size_t poster = 0; poster < posters; ++poster)
        threads.emplace_back([&mailbox, poster] {
            for (std::size_t i = 0; i < letters_each; ++i) mailbox.wake(poster);
        });
    std::vector<std::size_t> received(posters);
    std::size_t total = 0;
    while (total < posters * letters_each) {
        ASSERT_TRUE(has_mail(mailbox, for_ever));
        for (const auto& letter : mailbox.collect()) {
            ++received[letter.ticket];
            ++total;
        }
    }
    EXPECT_EQ(received, std::vector<std::size_t>(posters, letters_each));
    EXPECT_TRUE(mailbox.collect().empty());
}

TEST(Mailbox, ThrowsLettersAwayOnceItsOwnerHasGone) {
    Mailbox mailbox;
    const auto before = std::make_shared<int>(1);
    const auto after = std::make_shared<int>(2);
    mailbox.answer(1, response_with(before));
    mailbox.close();
    EXPECT_EQ(before.use_count(), 1);
    mailbox.answer(1, response_with(after));
    EXPECT_EQ(after.use_count(), 1);
    EXPECT_FALSE(has_mail(mailbox) && !mailbox.collect().empty());
}

}  // namespace
}  // namespace weir::engines

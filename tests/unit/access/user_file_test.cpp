#include "access/password/user_file.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/forked.h"
#include "temporary_file.h"
#include "test_clock.h"

namespace weir::access {
namespace {

const std::string hash = ":$2y$05$" + std::string(53, 'a') + '\n';

struct FileOfUsers : ::testing::Test {
    TemporaryFile file;
    std::vector<std::string> told;

    FileOfUsers() { test_time() = {.instant = test_time().instant + std::chrono::hours{1}}; }

    std::unique_ptr<UserFile> open(Users more = {}) {
        auto users = UserFile::open(
            file.path(), std::move(more),
            [this](std::string_view sentence) { told.emplace_back(sentence); }, test_clock);
        EXPECT_TRUE(users.has_value());
        return std::move(*users);
    }
};

bool has(UserFile& file, std::string_view name) { return file.users()->hash_of(name) != nullptr; }

void wait() { test_time().instant += UserFile::look_pause; }

TEST_F(FileOfUsers, IsReadAgainWhenItHasChanged) {
    file.write("ada" + hash);
    const auto users = open();
    EXPECT_TRUE(has(*users, "ada"));
    file.write("bob" + hash);
    EXPECT_TRUE(has(*users, "ada")) << "it is looked at once a second";
    wait();
    EXPECT_FALSE(has(*users, "ada"));
    EXPECT_TRUE(has(*users, "bob"));
    EXPECT_TRUE(told.empty());
}

TEST_F(FileOfUsers, OnAnErrorTheOldUsersStayAndOneLineSaysWhy) {
    file.write("ada" + hash);
    const auto users = open();
    for (const char* const wrong : {"bob:secret", "", "\n# nobody\n"}) {
        told.clear();
        file.write(wrong);
        for (int i = 0; i < 3; ++i) {
            wait();
            EXPECT_TRUE(has(*users, "ada")) << wrong;
        }
        ASSERT_EQ(told.size(), 1u) << wrong;
        EXPECT_TRUE(told[0].starts_with(file.path())) << told[0];
        EXPECT_TRUE(told[0].ends_with("; the users from before stay")) << told[0];
    }
    file.remove();
    wait();
    EXPECT_TRUE(has(*users, "ada"));
    EXPECT_EQ(told.size(), 2u);
    file.write("bob" + hash);
    wait();
    EXPECT_FALSE(has(*users, "ada"));
}

TEST_F(FileOfUsers, IsLeftAloneWhileItMayBeWritten) {
    file.write("ada" + hash);
    const auto users = open();
    file.write("bob" + hash);
    test_time().unix_seconds = look_at(file.path()).modified.seconds + 1;
    wait();
    EXPECT_TRUE(has(*users, "ada"));
    test_time().unix_seconds += 1;
    wait();
    EXPECT_FALSE(has(*users, "ada"));
}

TEST_F(FileOfUsers, UsersBesideItCountBeforeIt) {
    const std::string other = "ada:$2y$05$" + std::string(53, 'b');
    file.write("ada" + hash + "bob" + hash);
    const auto users = open(*Users::parse_one(other));
    EXPECT_EQ(*users->users()->hash_of("ada"), other.substr(4));
    EXPECT_TRUE(has(*users, "bob"));
    EXPECT_EQ(users->users()->size(), 2u);
}

TEST_F(FileOfUsers, AProcessThatWasForkedDoesNotGoBackToRemovedUsers) {
    file.write("ada" + hash);
    const auto users = open();
    EXPECT_TRUE(tests::in_a_forked_process([&] {
        file.write("bob" + hash);
        wait();
        return has(*users, "bob");
    }));
    file.write("half of a li");
    wait();
    EXPECT_FALSE(has(*users, "ada")) << "another process has seen that it was removed";
    EXPECT_EQ(told.size(), 1u);
    EXPECT_TRUE(tests::in_a_forked_process([&] {
        wait();
        return !has(*users, "ada") && told.size() == 1;
    })) << "the line is told once";
}

TEST_F(FileOfUsers, ThatIsMissingOrWrongIsRefused) {
    const auto refusal = [this] {
        const auto made = UserFile::open(file.path(), {}, {});
        return made ? std::string{} : made.error();
    };
    EXPECT_EQ(refusal(), "cannot read " + file.path() + ": No such file or directory");
    file.write("x");
    EXPECT_EQ(refusal(), file.path() + ": line 1 is not of the form user:hash");
    file.write("");
    EXPECT_TRUE(refusal().starts_with(file.path() + " has no user"));
    file.write(std::string(3'000'000, '#'));
    EXPECT_EQ(refusal(), "cannot read " + file.path() + ": File too large");
}

}  // namespace
}  // namespace weir::access

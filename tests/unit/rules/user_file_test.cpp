#include "rules/auth/user_file.h"

#include <gtest/gtest.h>

#include <vector>

#include "seen.h"
#include "temporary_file.h"

namespace weir::rules {
namespace {

const std::string hash = ":$2y$05$" + std::string(53, 'a') + '\n';

struct FileOfUsers : ::testing::Test {
    TemporaryFile file;
    std::vector<std::string> told;

    std::unique_ptr<UserFile> open() {
        auto users = UserFile::open(
            file.path(), [this](const std::string& sentence) { told.push_back(sentence); },
            test_clock);
        EXPECT_TRUE(users.has_value());
        return std::move(*users);
    }
};

TEST_F(FileOfUsers, IsReadAgainWhenItHasChanged) {
    file.write("ada" + hash);
    const auto users = open();
    const auto first = users->version();
    file.write("bob" + hash);
    EXPECT_EQ(users->version(), first) << "it is looked at once a second";
    test_time() += look_pause;
    const auto second = users->version();
    EXPECT_NE(second, first);
    EXPECT_EQ(users->users()->hash_of("ada"), nullptr);
    EXPECT_NE(users->users()->hash_of("bob"), nullptr);
    test_time() += look_pause;
    EXPECT_EQ(users->version(), second);
    EXPECT_TRUE(told.empty());
}

TEST_F(FileOfUsers, OnAnErrorTheOldUsersStayAndOneLineSaysWhy) {
    file.write("ada" + hash);
    const auto users = open();
    const auto before = users->version();
    file.write("bob:secret");
    for (int i = 0; i < 3; ++i) {
        test_time() += look_pause;
        EXPECT_EQ(users->version(), before);
    }
    EXPECT_NE(users->users()->hash_of("ada"), nullptr);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(told[0].starts_with(file.path() + ": line 1 has a plain password")) << told[0];
    EXPECT_TRUE(told[0].ends_with("; the users from before stay")) << told[0];
    file.remove();
    test_time() += look_pause;
    EXPECT_EQ(users->version(), before);
    EXPECT_EQ(told.size(), 2u);
    file.write("bob" + hash);
    test_time() += look_pause;
    EXPECT_NE(users->version(), before);
}

TEST_F(FileOfUsers, ThatIsMissingOrWrongIsRefused) {
    const auto missing = UserFile::open(file.path(), {});
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error(), "cannot read " + file.path() + ": No such file or directory");
    file.write("x");
    EXPECT_EQ(UserFile::open(file.path(), {}).error(),
              file.path() + ": line 1 is not of the form user:hash");
    file.write(std::string(3'000'000, '#'));
    EXPECT_EQ(UserFile::open(file.path(), {}).error(),
              "cannot read " + file.path() + ": File too large");
}

}  // namespace
}  // namespace weir::rules

#include "dav/locks/lock_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::dav {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

struct LockTables : ::testing::Test {
    LockTable table = *LockTable::make();
    Instant now{std::chrono::hours{1}};

    std::string add(const std::string& path, bool is_infinite = true, seconds time = seconds{10}) {
        Lock lock{.token = new_lock_token(),
                  .path = path,
                  .owner = "<o/>",
                  .user = "ada",
                  .is_infinite = is_infinite,
                  .time = time};
        return table.add(lock, now) ? lock.token : std::string{};
    }
    std::vector<std::string> covering(std::string_view path) const {
        std::vector<std::string> tokens;
        for (const Lock& each : table.covering(path, now)) tokens.push_back(each.token);
        return tokens;
    }
};

TEST_F(LockTables, KnowWhatALockCovers) {
    const auto deep = add("a");
    const auto flat = add("b", false);
    EXPECT_THAT(covering("a"), ElementsAre(deep));
    EXPECT_THAT(covering("a/x/y"), ElementsAre(deep));
    EXPECT_THAT(covering("ab"), IsEmpty());
    EXPECT_THAT(covering("b"), ElementsAre(flat));
    EXPECT_THAT(covering("b/x"), IsEmpty());
    const auto root = add("");
    EXPECT_THAT(covering("any/thing"), ElementsAre(root));
}

TEST_F(LockTables, KnowWhatLiesBelow) {
    const auto inside = add("a/b/c");
    add("a");
    add("ab");
    const auto below = table.below("a", now);
    ASSERT_EQ(below.size(), 1u);
    EXPECT_EQ(below[0].token, inside);
    EXPECT_EQ(below[0].owner, "<o/>");
    EXPECT_EQ(below[0].user, "ada");
}

TEST_F(LockTables, ForgetLocksWhoseTimeIsOver) {
    const auto token = add("a");
    now += seconds{9};
    ASSERT_TRUE(table.find(token, "a/x", now));
    EXPECT_EQ(table.find(token, "a/x", now)->time, seconds{1});
    table.refresh(token, seconds{10}, now);
    now += seconds{9};
    EXPECT_TRUE(table.find(token, "a", now));
    now += seconds{1};
    EXPECT_FALSE(table.find(token, "a", now));
    EXPECT_THAT(covering("a"), IsEmpty());
    table.refresh(token, seconds{10}, now);
    EXPECT_FALSE(table.find(token, "a", now));
}

TEST_F(LockTables, FindATokenOnlyForItsPath) {
    const auto token = add("a");
    EXPECT_TRUE(table.find(token, "a/b", now));
    EXPECT_FALSE(table.find(token, "b", now));
    EXPECT_FALSE(table.find("urn:uuid:0", "a", now));
    table.remove(token);
    EXPECT_FALSE(table.find(token, "a", now));
}

TEST_F(LockTables, ForgetWhatWasRemoved) {
    add("a");
    add("a/b");
    const auto other = add("ab");
    table.remove_within("a");
    EXPECT_THAT(covering("a/b"), IsEmpty());
    EXPECT_THAT(covering("ab"), ElementsAre(other));
}

TEST_F(LockTables, AreLimited) {
    for (std::size_t i = 0; i < LockTable::locks_max; ++i)
        ASSERT_FALSE(add(std::to_string(i)).empty());
    EXPECT_TRUE(add("one more").empty());
    now += seconds{10};
    EXPECT_FALSE(add("one more").empty());
    EXPECT_TRUE(add(std::string(LockTable::path_bytes_max + 1, 'x')).empty());
    EXPECT_FALSE(add(std::string(LockTable::path_bytes_max, 'x')).empty());
}

TEST_F(LockTables, AreSharedWithForkedProcesses) {
    const pid_t child = ::fork();
    if (child == 0) {
        add("a");
        ::_exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_EQ(covering("a").size(), 1u);
}

TEST(LockTokens, AreRandomUuids) {
    const auto token = new_lock_token();
    EXPECT_THAT(token,
                testing::MatchesRegex("urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]"
                                      "{3}-[0-9a-f]{12}"));
    EXPECT_NE(token, new_lock_token());
}

}  // namespace
}  // namespace weir::dav

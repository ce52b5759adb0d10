#include "dav/locks/rights.h"

#include <gtest/gtest.h>

#include "dav/request/locked.h"

namespace weir::dav {
namespace {

using std::chrono::seconds;

struct LockRights : ::testing::Test {
    LockTable table = *LockTable::make();
    Instant now{std::chrono::hours{1}};
    Rights::Holder holder{};

    std::string add(const std::string& path, bool is_exclusive = true, bool is_infinite = true) {
        const Lock lock{.token = new_lock_token(),
                        .path = path,
                        .user = "ada",
                        .is_exclusive = is_exclusive,
                        .is_infinite = is_infinite,
                        .time = seconds{10}};
        EXPECT_TRUE(table.add(lock, now));
        return lock.token;
    }
    Rights rights() const { return {table, holder, now}; }
    std::string barred_by(std::string_view path) const {
        try {
            rights().need(path);
        } catch (const Locked& locked) {
            return "locked " + locked.root();
        }
        return {};
    }
    bool may_be_member(std::string_view path) const {
        try {
            rights().need_as_member(path);
        } catch (const Locked&) {
            return false;
        }
        return true;
    }
};

TEST_F(LockRights, NeedTheTokenOfTheUserWhoHasIt) {
    EXPECT_EQ(barred_by("a/b"), "");
    const auto token = add("a");
    EXPECT_EQ(barred_by("a/b"), "locked a");
    holder.tokens = {token};
    EXPECT_EQ(barred_by("a/b"), "locked a");
    holder.user = "bob";
    EXPECT_EQ(barred_by("a/b"), "locked a");
    holder.user = "ada";
    EXPECT_EQ(barred_by("a/b"), "");
}

TEST_F(LockRights, OfOneSharedLockAreEnough) {
    add("a", false);
    const auto token = add("a", false);
    EXPECT_EQ(barred_by("a"), "locked a");
    holder = {.tokens = {token}, .user = "ada"};
    EXPECT_EQ(barred_by("a"), "");
    EXPECT_TRUE(rights().missing_below("").empty());
}

TEST_F(LockRights, OfAFolderAreNeededForItsMembers) {
    const auto token = add("a", true, false);
    EXPECT_EQ(barred_by("a/b"), "");
    EXPECT_FALSE(may_be_member("a/b"));
    EXPECT_TRUE(may_be_member("a/b/c"));
    holder = {.tokens = {token}, .user = "ada"};
    EXPECT_TRUE(may_be_member("a/b"));
}

TEST_F(LockRights, OfAllBelowAreNeededForAFolder) {
    add("a/b/c");
    EXPECT_EQ(rights().missing_below("a").size(), 1u);
    EXPECT_TRUE(rights().missing_below("a/b/c").empty());
}

TEST_F(LockRights, LetSharedLocksStandBesideEachOther) {
    add("a/b", false);
    const auto count = [this](const std::string& path, bool is_exclusive, bool is_infinite) {
        return conflicting(table,
                           {.path = path, .is_exclusive = is_exclusive, .is_infinite = is_infinite},
                           now)
            .size();
    };
    EXPECT_EQ(count("a/b", true, true), 1u);
    EXPECT_EQ(count("a/b", false, true), 0u);
    EXPECT_EQ(count("a/b/c", true, false), 1u);
    EXPECT_EQ(count("a", true, true), 1u);
    EXPECT_EQ(count("a", true, false), 0u);
    add("c");
    EXPECT_EQ(count("c/d", false, false), 1u);
}

}  // namespace
}  // namespace weir::dav

#include "weir/sandbox/user.h"

#include <grp.h>

#include "unit/sandbox/in_child.h"

namespace weir::sandbox {
namespace {

constexpr uid_t some_uid = 12'345;

TEST(FindUser, TakesNamesAndNumbers) {
    const auto daemon = find_user("daemon");  // in every /etc/passwd
    ASSERT_TRUE(daemon) << daemon.error();
    EXPECT_EQ(daemon->uid, 1U);
    EXPECT_EQ(daemon->gid, 1U);
    EXPECT_EQ(find_user("1")->name, "daemon");
    EXPECT_EQ(find_user("daemon:root")->gid, 0U);
    const auto numbers = find_user("12345:23456");
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->uid, some_uid);
    EXPECT_EQ(numbers->gid, 23'456U);
}

TEST(FindUser, SaysWhatIsWrong) {
    EXPECT_EQ(find_user("nobody-knows").error(), "there is no user 'nobody-knows' in /etc/passwd");
    EXPECT_EQ(find_user("").error(), "there is no user '' in /etc/passwd");
    EXPECT_EQ(find_user("daemon:nobody-knows").error(),
              "there is no group 'nobody-knows' in /etc/group");
    EXPECT_EQ(find_user("root").error(), "to become root gives up nothing");
    EXPECT_EQ(find_user("12345").error(),
              "the user 12345 is not in /etc/passwd: add a group, as in 12345:12345");
    EXPECT_FALSE(find_user("4294967295:1"));  // (uid_t)-1: "leave it" to the system calls
    EXPECT_FALSE(find_user("-1:1"));
}

const User somebody{.name = "12345", .uid = some_uid, .gid = 23'456};

struct Become : testing::Test {
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "only root can";
    }
};

TEST_F(Become, ChangesAllIds) {
    EXPECT_EQ(in_child([] {
                  if (!become(somebody)) return 1;
                  uid_t real = 0, effective = 0, saved = 0;
                  ::getresuid(&real, &effective, &saved);
                  gid_t real_group = 0, effective_group = 0, saved_group = 0;
                  ::getresgid(&real_group, &effective_group, &saved_group);
                  const bool users = real == some_uid && effective == some_uid && saved == some_uid;
                  const bool groups = real_group == 23'456 && effective_group == 23'456 &&
                                      saved_group == 23'456 && ::getgroups(0, nullptr) == 0;
                  return users && groups ? 0 : 2;
              }),
              success);
}

TEST_F(Become, CannotBeUndone) {
    EXPECT_EQ(in_child([] { return become(somebody) ? error_of(::setuid(0)) : -1; }),
              fails_with(EPERM));
}

TEST_F(Become, KeepsTheProcessesOwnDescriptorsInReach) {
    EXPECT_EQ(in_child([] {
                  return become(somebody) ? error_of(::open("/proc/self/fd", O_RDONLY)) : -1;
              }),
              success);
}

TEST_F(Become, NeedsRoot) {
    EXPECT_EQ(in_child([] {
                  if (!become(somebody)) return 1;
                  const auto again = become({.name = "other", .uid = 99, .gid = 99});
                  return !again && again.error() ==
                                       "only root can become the user other; start weir as that "
                                       "user, or leave out --user"
                             ? 0
                             : 2;
              }),
              success);
}

TEST_F(Become, SaysWhatTheUserCannotReadOrWriteTo) {
    EXPECT_EQ(
        in_child([] {
            if (!become(somebody)) return 1;
            const bool all = unreadable({"/", "/etc/passwd"}, somebody).empty();
            const auto shadow = unreadable({"/etc/shadow"}, somebody);
            const auto etc = unwritable({"/etc"}, somebody);
            return all && shadow == "the user 12345 cannot read /etc/shadow: Permission denied" &&
                           etc == "the user 12345 cannot write to /etc: Permission denied" &&
                           unwritable({"/tmp"}, somebody).empty()
                       ? 0
                       : 2;
        }),
        success);
}

}  // namespace
}  // namespace weir::sandbox

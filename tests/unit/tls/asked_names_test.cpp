#include "tls/openssl/asked_names.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::tls {
namespace {

constexpr std::int64_t now = 1'800'000'000;

TEST(AskedNames, TellTheMostFrequentOneThatHasNoCertificate) {
    AskedNames names;
    EXPECT_FALSE(names.note("a.test", false, now));
    EXPECT_FALSE(names.note("a.test", false, now));
    EXPECT_EQ(names.take(), "");
    EXPECT_TRUE(names.note("a.test", false, now));
    EXPECT_EQ(names.take(), "a.test");
    EXPECT_EQ(names.take(), "");
    for (int count = 0; count < 100; ++count) EXPECT_FALSE(names.note("a.test", false, now + 9999));
}

TEST(AskedNames, SayNothingOfRareOnes) {
    AskedNames names;
    for (int count = 0; count < 10; ++count) EXPECT_FALSE(names.note("good.test", true, now));
    for (int count = 0; count < 10; ++count)
        EXPECT_FALSE(names.note("bad.test", false, now)) << count;
    EXPECT_TRUE(names.note("bad.test", false, now));
}

TEST(AskedNames, TellOneAnHour) {
    AskedNames names;
    for (int count = 0; count < 3; ++count) names.note("a.test", false, now);
    for (int count = 0; count < 5; ++count) EXPECT_FALSE(names.note("b.test", false, now + 3599));
    EXPECT_TRUE(names.note("b.test", false, now + 3600));
}

TEST(AskedNames, TellEachOnce) {
    AskedNames names;
    for (int count = 0; count < 3; ++count) names.note("a.test", false, now);
    for (int count = 0; count < 6; ++count) names.note("b.test", false, now + 3600);
    for (int count = 0; count < 9; ++count)
        EXPECT_FALSE(names.note("a.test", false, now + 9999)) << count;
}

TEST(AskedNames, KeepTheFrequentOneAmongMany) {
    AskedNames names;
    bool is_told = false;
    for (int count = 0; count < 1'000; ++count) {
        names.note("x" + std::to_string(count) + ".test", true, now);
        if (count % 3 == 0) is_told = names.note("often.test", false, now) || is_told;
    }
    EXPECT_TRUE(is_told);
    EXPECT_EQ(names.take(), "often.test");
}

TEST(AskedNames, TakeNothingThatIsNoHostName) {
    AskedNames names;
    for (const std::string& name :
         {std::string{"a\nb"}, std::string(256, 'a'), std::string{}, std::string{"a b"}})
        for (int count = 0; count < 5; ++count) EXPECT_FALSE(names.note(name, false, now));
}

TEST(AskedNames, AreCountedInForkedProcessesToo) {
    AskedNames names;
    const pid_t child = ::fork();
    if (child == 0) {
        for (int count = 0; count < 3; ++count) names.note("child.test", false, now);
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(names.take(), "child.test");
}

}  // namespace
}  // namespace weir::tls

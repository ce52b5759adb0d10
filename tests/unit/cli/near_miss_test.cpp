#include "cli/option/near_miss.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {

const std::vector<std::string> engines{"auto",        "blocking", "thread-per-connection",
                                       "thread-pool", "poll",     "epoll-level",
                                       "epoll-edge",  "io-uring"};

TEST(NearMiss, IsAMistypedWord) {
    for (const char* word : {"io_uring", "iouring", "io-urnig", "io-urin", "io-uringg"})
        EXPECT_EQ(did_you_mean(word, engines), "; did you mean io-uring?") << word;
}

TEST(NearMiss, IsTheBeginningOfAWord) {
    EXPECT_EQ(did_you_mean("epol", engines), "; did you mean epoll-level or epoll-edge?");
    EXPECT_EQ(did_you_mean("epool", engines), "; did you mean poll, epoll-level or epoll-edge?");
    EXPECT_EQ(did_you_mean("block", engines), "; did you mean blocking?");
}

TEST(NearMiss, IsTheNearestAlone) {
    EXPECT_EQ(did_you_mean("thread-pol", engines), "; did you mean thread-pool?");
    EXPECT_EQ(did_you_mean("epoll-egde", engines), "; did you mean epoll-edge?");
}

TEST(NearMiss, IsTheSameWordWithOtherCapitals) {
    for (const char* word : {"POLL", "Poll", "POL"})
        EXPECT_EQ(did_you_mean(word, engines), "; did you mean poll?") << word;
    EXPECT_EQ(did_you_mean("io-uring", {{"IO-URING"}}), "; did you mean IO-URING?");
    EXPECT_EQ(did_you_mean("poll", {{"poll"}}), "");
}

TEST(NearMiss, IsNoOtherWord) {
    for (const char* word : {"", "a", "b", "nginx", "nonsense", "x-epoll"})
        EXPECT_EQ(did_you_mean(word, engines), "") << word;
}

TEST(NearMiss, EnumeratesWords) {
    const std::vector<std::string> words{"a", "b", "c"};
    EXPECT_EQ(enumerated(words, " or "), "a, b or c");
    EXPECT_EQ(enumerated(std::span{words}.first(1), " or "), "a");
    EXPECT_EQ(enumerated({}, " or "), "");
}

}  // namespace
}  // namespace weir::cli

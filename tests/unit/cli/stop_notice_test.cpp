#include "cli/launch/stop_notice.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {

using namespace std::chrono_literals;

TEST(StopSentence, SaysWhatIsFinishedAndForHowLong) {
    EXPECT_EQ(stop_sentence({.requests = 3, .all_known = true}, 10s, true),
              "finishing 3 requests, for 10 s at most; press Ctrl-C again to end at once");
    EXPECT_EQ(stop_sentence({.requests = 1, .all_known = true}, 500ms, false),
              "finishing 1 request, for 500 ms at most; a second signal ends it at once");
}

TEST(StopSentence, HasNoNumberWhereNotAllAreKnown) {
    EXPECT_EQ(stop_sentence({.requests = 0, .all_known = false}, 10s, false),
              "finishing the requests in progress, for 10 s at most; a second signal ends "
              "it at once");
}

TEST(StopSentence, IsEmptyWhereNothingIsUnderWay) {
    EXPECT_EQ(stop_sentence({.requests = 0, .all_known = true}, 10s, true), "");
}

}  // namespace
}  // namespace weir::cli

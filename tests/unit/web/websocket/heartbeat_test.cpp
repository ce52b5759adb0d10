#include "web/websocket/heartbeat.h"

#include <gtest/gtest.h>

namespace weir::web::ws {
namespace {

using namespace std::chrono_literals;
using Verdict = Heartbeat::Verdict;

constexpr Instant start{1h};

TEST(Heartbeat, AsksAndThenGivesUp) {
    Heartbeat heartbeat{30s, 20s, start};
    EXPECT_EQ(heartbeat.due(), start + 30s);
    EXPECT_EQ(heartbeat.look(start + 29s), Verdict::well);
    EXPECT_EQ(heartbeat.look(start + 30s), Verdict::ask);
    EXPECT_EQ(heartbeat.due(), start + 50s);
    EXPECT_EQ(heartbeat.look(start + 49s), Verdict::well);
    EXPECT_EQ(heartbeat.look(start + 50s), Verdict::lost);
}

TEST(Heartbeat, BeginsAnewWithEachSignOfLife) {
    Heartbeat heartbeat{30s, 20s, start};
    EXPECT_EQ(heartbeat.look(start + 30s), Verdict::ask);
    heartbeat.note_heard(start + 40s);
    EXPECT_EQ(heartbeat.due(), start + 70s);
    EXPECT_EQ(heartbeat.look(start + 70s), Verdict::ask);
}

TEST(Heartbeat, OfZeroIsNone) {
    Heartbeat heartbeat{0s, 20s, start};
    EXPECT_EQ(heartbeat.due(), never);
    EXPECT_EQ(heartbeat.look(start + 1000h), Verdict::well);
}

}  // namespace
}  // namespace weir::web::ws

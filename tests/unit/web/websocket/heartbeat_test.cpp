#include "web/websocket/heartbeat.h"

#include <gtest/gtest.h>

namespace weir::web::ws {
namespace {

using namespace std::chrono_literals;
using Verdict = Heartbeat::Verdict;

constexpr Instant start{1h};
const WebSocketOptions options{.ping_every = 30s, .pong_within = 20s};

TEST(Heartbeat, AsksAndThenGivesUp) {
    Heartbeat heartbeat{start};
    EXPECT_EQ(heartbeat.due(options), start + 30s);
    EXPECT_EQ(heartbeat.look(options, start + 29s), Verdict::well);
    EXPECT_EQ(heartbeat.look(options, start + 30s), Verdict::ask);
    EXPECT_EQ(heartbeat.due(options), start + 50s);
    EXPECT_EQ(heartbeat.look(options, start + 49s), Verdict::well);
    EXPECT_EQ(heartbeat.look(options, start + 50s), Verdict::lost);
}

TEST(Heartbeat, BeginsAnewWithEachSignOfLife) {
    Heartbeat heartbeat{start};
    EXPECT_EQ(heartbeat.look(options, start + 30s), Verdict::ask);
    heartbeat.note_heard(start + 40s);
    EXPECT_EQ(heartbeat.due(options), start + 70s);
    EXPECT_EQ(heartbeat.look(options, start + 70s), Verdict::ask);
}

TEST(Heartbeat, OfAClosingIsItsEnd) {
    const WebSocketOptions brief{.ping_every = 1s, .close_within = 5s};
    Heartbeat heartbeat{start};
    EXPECT_EQ(heartbeat.look(brief, start + 1s), Verdict::ask);
    heartbeat.begin_closing(start + 2s);
    heartbeat.begin_closing(start + 3s);
    heartbeat.note_heard(start + 4s);
    EXPECT_TRUE(heartbeat.is_closing());
    EXPECT_EQ(heartbeat.due(brief), start + 7s);
    EXPECT_EQ(heartbeat.look(brief, start + 1000h), Verdict::well);
}

TEST(Heartbeat, OfZeroIsNone) {
    const WebSocketOptions none{.ping_every = 0s};
    Heartbeat heartbeat{start};
    EXPECT_EQ(heartbeat.due(none), never);
    EXPECT_EQ(heartbeat.look(none, start + 1000h), Verdict::well);
}

}  // namespace
}  // namespace weir::web::ws

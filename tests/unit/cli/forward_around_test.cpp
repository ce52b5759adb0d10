#include "cli/sites/forward_around.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "engines/engines.h"

namespace weir::cli {
namespace {

using namespace std::chrono_literals;

http::Timeouts with_servers(std::chrono::milliseconds timeout) {
    http::Timeouts timeouts{.handler = 60s, .pause = 60s};
    allow_for_servers(timeouts, {.routes = {"/api: http://127.0.0.1:1"}, .timeout = timeout});
    return timeouts;
}

TEST(AllowForServers, LetsAnAnswerTakeAsLongAsItsOwnLimitSays) {
    EXPECT_GT(with_servers(5min).handler, 5min);
    EXPECT_EQ(with_servers(0ms).handler, 0ms);
    EXPECT_GE(with_servers(1s).handler, 60s) << "that of the site's own handlers";
    EXPECT_GT(with_servers(60s).handler, 60s);
}

TEST(AllowForServers, LetsContentPauseForHours) { EXPECT_EQ(with_servers(1s).pause, 0ms); }

TEST(AllowForServers, ChangesNothingWithoutThem) {
    http::Timeouts timeouts{.handler = 60s, .pause = 60s};
    allow_for_servers(timeouts, {.routes = {}, .timeout = 5min});
    EXPECT_EQ(timeouts.handler, 60s);
    EXPECT_EQ(timeouts.pause, 60s);
}

TEST(ConcernOf, IsToldForEnginesThatServeAClientOnAThread) {
    EXPECT_TRUE(concern_of("blocking").contains("keeps all others waiting"));
    for (const std::string_view engine :
         {"thread-per-connection", "thread-pool", "fork-per-connection"}) {
        EXPECT_TRUE(concern_of(engine).contains("closes the connections")) << engine;
        EXPECT_NE(engines::find(engine), nullptr) << engine;
    }
    for (const std::string_view engine : {"auto", "per-core", "epoll-edge", "prefork"})
        EXPECT_EQ(concern_of(engine), "") << engine;
}

}  // namespace
}  // namespace weir::cli

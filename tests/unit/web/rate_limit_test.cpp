#include <gtest/gtest.h>

#include <stdexcept>

#include "weir/web/probe.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct RateLimits : ::testing::Test {
    Router router;
    Probe probe{router};

    void limit(RateLimitOptions options) {
        router.get("/", [] { return Response{}; });
        options.key = [](const Call& call) {
            return std::string{call.field("X-Key").value_or("")};
        };
        router.use(rate_limit(std::move(options)));
    }
    Probe::Answer ask(const char* key = "a") { return probe.get("/", {{"X-Key", key}}); }
    /// How many of `count` requests in a row pass.
    int passed(int count, const char* key = "a") {
        int all = 0;
        for (int i = 0; i < count; ++i) all += ask(key).status == 200 ? 1 : 0;
        return all;
    }
};

TEST_F(RateLimits, LetABurstPassAndThenAnEvenRate) {
    limit({.per_second = 2, .burst = 3});
    EXPECT_EQ(passed(10), 3);
    const auto answer = ask();
    EXPECT_EQ(answer.status, 429u);
    EXPECT_EQ(answer.field("Retry-After"), "1");
    probe.advance(499ms);
    EXPECT_EQ(passed(10), 0);
    probe.advance(1ms);
    EXPECT_EQ(passed(10), 1);
    probe.advance(1s);
    EXPECT_EQ(passed(10), 2);
    probe.advance(1h);
    EXPECT_EQ(passed(10), 3);
}

TEST_F(RateLimits, SayHowLongToWait) {
    limit({.per_second = 0.1, .burst = 1});
    ask();
    EXPECT_EQ(ask().field("Retry-After"), "10");
    probe.advance(3500ms);
    EXPECT_EQ(ask().field("Retry-After"), "7");
}

TEST_F(RateLimits, CountEachClient) {
    limit({.per_second = 1, .burst = 2});
    EXPECT_EQ(passed(5, "a"), 2);
    EXPECT_EQ(passed(5, "b"), 2);
}

TEST_F(RateLimits, ShareOneLimitPastTheMostClients) {
    limit({.per_second = 1, .burst = 2, .clients_max = 2});
    EXPECT_EQ(passed(5, "a"), 2);
    EXPECT_EQ(passed(5, "b"), 2);
    EXPECT_EQ(passed(5, "c"), 2);
    EXPECT_EQ(passed(5, "d"), 0) << "as c";
    probe.advance(10s);
    EXPECT_EQ(passed(5, "d"), 2) << "a and b are forgotten";
    EXPECT_EQ(passed(5, "c"), 2);
}

TEST_F(RateLimits, CountAddresses) {
    router.get("/", [] { return Response{}; });
    router.use(rate_limit({.per_second = 1, .burst = 1}));
    EXPECT_EQ(probe.get("/").status, 200u);
    EXPECT_EQ(probe.get("/").status, 429u);
}

TEST_F(RateLimits, MustAllowSomething) {
    EXPECT_THROW(rate_limit({.per_second = 0}), std::invalid_argument);
    EXPECT_THROW(rate_limit({.burst = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace weir::web

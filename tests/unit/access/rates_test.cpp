#include "weir/access/rates.h"

#include <gtest/gtest.h>

#include "weir/web/probe.h"

namespace weir::access {
namespace {

using namespace std::chrono_literals;

/// What is behind the limits.
class Behind final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override { return http::Response{}; }
};

struct Rates : ::testing::Test {
    Behind behind;
    std::unique_ptr<http::Handler> limited;
    std::unique_ptr<web::Probe> probe;

    /// The intervals are longer than the test takes.
    void begin(const std::vector<RateRule>& rules) {
        limited = limit_rates(behind, {}, rules).value();
        probe = std::make_unique<web::Probe>(*limited);
    }
    unsigned status(std::string_view target) { return probe->get(target).status; }
};

TEST_F(Rates, PastABurstAre429) {
    begin({{.interval = 1h, .burst = 2}});
    EXPECT_EQ(status("/"), 200u);
    EXPECT_EQ(status("/a"), 200u);
    const auto answer = probe->get("/");
    EXPECT_EQ(answer.status, 429u);
    const int wait = std::stoi(std::string{answer.field("Retry-After")});
    EXPECT_GT(wait, 3500);
    EXPECT_LE(wait, 3600);
}

TEST_F(Rates, MayBeForSomePaths) {
    begin({{.glob = "/api", .interval = 1h, .burst = 1},
           {.glob = "*.zip", .interval = 1h, .burst = 1}});
    for (int i = 0; i < 5; ++i) EXPECT_EQ(status("/"), 200u);
    EXPECT_EQ(status("/api/a"), 200u);
    for (const char* const path : {"/api/a", "/api", "//api/b", "/%61pi/a", "/API/a", "/%zz"})
        EXPECT_EQ(status(path), 429u) << path;
    EXPECT_EQ(status("/a.zip"), 200u) << "each rule counts by itself";
    EXPECT_EQ(status("/b.zip"), 429u);
}

TEST_F(Rates, ARefusedRequestCountsForNoRule) {
    begin({{.interval = 1h, .burst = 3}, {.glob = "/api", .interval = 1h, .burst = 1}});
    EXPECT_EQ(status("/api"), 200u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(status("/api"), 429u);
    EXPECT_EQ(status("/"), 200u);
    EXPECT_EQ(status("/"), 200u);
    EXPECT_EQ(status("/"), 429u);
}

TEST_F(Rates, ThatAllowNothingAreRefused) {
    EXPECT_FALSE(limit_rates(behind, {}, {{.interval = 0us}}).has_value());
    EXPECT_FALSE(limit_rates(behind, {}, {{.burst = 0}}).has_value());
    EXPECT_FALSE(limit_rates(behind, {}, {{.glob = "a/b"}}).has_value());
}

}  // namespace
}  // namespace weir::access

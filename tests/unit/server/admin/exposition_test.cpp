#include "server/metrics/exposition.h"

#include <gtest/gtest.h>

#include <array>

namespace weir::server {
namespace {

using enum Exposition::Format;

TEST(Exposition, IsOpenMetrics) {
    Exposition out{openmetrics};
    out.info("weir", "What runs.", {{"version", "1.0"}});
    out.counter("requests", "Requests.");
    out.value(std::uint64_t{3}, {{"status", "2xx"}, {"protocol", "h2"}});
    out.gauge("memory_bytes", "Memory.", "bytes");
    out.value(1.5);
    EXPECT_EQ(out.finish(),
              "# TYPE weir info\n"
              "# HELP weir What runs.\n"
              "weir_info{version=\"1.0\"} 1\n"
              "# TYPE requests counter\n"
              "# HELP requests Requests.\n"
              "requests_total{status=\"2xx\",protocol=\"h2\"} 3\n"
              "# TYPE memory_bytes gauge\n"
              "# UNIT memory_bytes bytes\n"
              "# HELP memory_bytes Memory.\n"
              "memory_bytes 1.5\n"
              "# EOF\n");
}

TEST(Exposition, IsTheOlderFormat) {
    Exposition out{prometheus};
    out.info("weir", "What runs.", {{"version", "1.0"}});
    out.counter("cpu_seconds", "Time.", "seconds");
    out.value(std::uint64_t{3});
    EXPECT_EQ(out.finish(),
              "# TYPE weir_info gauge\n"
              "# HELP weir_info What runs.\n"
              "weir_info{version=\"1.0\"} 1\n"
              "# TYPE cpu_seconds_total counter\n"
              "# HELP cpu_seconds_total Time.\n"
              "cpu_seconds_total 3\n");
}

TEST(Exposition, HasHistogramsThatGrow) {
    constexpr std::array<std::uint64_t, 3> bounds{5, 1'000, 30'000};
    constexpr std::array<std::uint64_t, 4> buckets{2, 0, 3, 1};
    Exposition out{prometheus};
    out.histogram("time_seconds", "Time.", "seconds");
    out.value({.bounds = bounds, .buckets = buckets, .sum = 1'500, .divisor = 1'000},
              {{"loop", "0"}});
    EXPECT_EQ(out.finish(),
              "# TYPE time_seconds histogram\n"
              "# HELP time_seconds Time.\n"
              "time_seconds_bucket{loop=\"0\",le=\"0.005\"} 2\n"
              "time_seconds_bucket{loop=\"0\",le=\"1.0\"} 2\n"
              "time_seconds_bucket{loop=\"0\",le=\"30.0\"} 5\n"
              "time_seconds_bucket{loop=\"0\",le=\"+Inf\"} 6\n"
              "time_seconds_count{loop=\"0\"} 6\n"
              "time_seconds_sum{loop=\"0\"} 1.5\n");
}

TEST(Exposition, EscapesLabels) {
    Exposition out{prometheus};
    out.gauge("one", "One.");
    out.value(std::uint64_t{1}, {{"text", "a\\b\"c\nd"}});
    EXPECT_TRUE(out.finish().ends_with("one{text=\"a\\\\b\\\"c\\nd\"} 1\n"));
}

}  // namespace
}  // namespace weir::server

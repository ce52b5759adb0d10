// The counters of a server, and their text.

#include "weir/server/metrics.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "engines/engines.h"
#include "server/metrics/exposition.h"
#include "server/metrics/shared.h"
#include "server/metrics/text.h"
#include "support/forked.h"
#include "support/time_limit.h"

namespace weir::server {
namespace {

using namespace std::chrono_literals;

const Series got{.method = http::Method::get, .status = 200};

struct MetricsTest : ::testing::Test {
    std::shared_ptr<Counts> counts() const { return metrics.shared().counts; }
    void count(const Series& series = got, std::chrono::microseconds duration = 3ms,
               std::uint64_t bytes = 10) const {
        here().answered(series, duration, bytes);
    }
    /// The counts of the calling thread.
    ThreadCounts here() const { return ThreadCounts{generation}; }
    bool says(const std::string& line, Metrics::Format format = Metrics::Format::prometheus) const {
        return metrics.text(format).contains('\n' + line + '\n');
    }

    Metrics metrics;
    GenerationCounts generation = metrics.shared().of_generation();
};

TEST_F(MetricsTest, CountRequestsByMethodStatusAndVersion) {
    count();
    count();
    count({.method = http::Method::post, .version = 2, .status = 503});
    const std::string name = "http_server_request_duration_seconds_count";
    EXPECT_TRUE(says(name + "{http_request_method=\"GET\",http_response_status_code=\"200\","
                            "network_protocol_version=\"1.1\"} 2"));
    EXPECT_TRUE(says(name + "{http_request_method=\"POST\",http_response_status_code=\"503\","
                            "network_protocol_version=\"2\"} 1"));
    EXPECT_EQ(metrics.requests().count, 3u);
    EXPECT_EQ(metrics.requests().failed, 1u);
    EXPECT_EQ(metrics.requests().refused, 0u);
    EXPECT_EQ(metrics.requests().content_bytes, 30u);
    EXPECT_EQ(metrics.requests().duration, 9ms);
}

TEST_F(MetricsTest, HaveAHistogramOfDurations) {
    for (const auto duration : {0us, 100us, 101us, 5ms + 0us, 11s + 0us}) count(got, duration);
    const std::string labels =
        "{http_request_method=\"GET\",http_response_status_code=\"200\","
        "network_protocol_version=\"1.1\"";
    const std::string bucket = "http_server_request_duration_seconds_bucket" + labels;
    EXPECT_TRUE(says(bucket + ",le=\"0.0001\"} 2"));
    EXPECT_TRUE(says(bucket + ",le=\"0.00025\"} 3"));
    EXPECT_TRUE(says(bucket + ",le=\"0.005\"} 4"));
    EXPECT_TRUE(says(bucket + ",le=\"10\"} 4"));
    EXPECT_TRUE(says(bucket + ",le=\"+Inf\"} 5"));
    EXPECT_TRUE(says("http_server_request_duration_seconds_sum" + labels + "} 11.005201"));
    EXPECT_TRUE(says("weir_response_content_bytes_total" + labels + "} 50"));
}

TEST_F(MetricsTest, SeriesThatFindNoRoomShareOne) {
    for (std::uint16_t status = 100; status < 400; ++status)
        count({.method = http::Method::get, .status = status});
    EXPECT_EQ(metrics.requests().count, 300u);
    EXPECT_TRUE(metrics.text().contains("http_response_status_code=\"0\""));
}

TEST_F(MetricsTest, ThreadsCountForThemselves) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([this] {
            for (int each = 0; each < 1'000; ++each) count();
        });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(metrics.requests().count, 8'000u);
}

TEST_F(MetricsTest, SlotOfAThreadThatHasEndedServesTheNext) {
    for (std::size_t i = 0; i < 2 * Counts::slots_max; ++i) std::thread{[this] { count(); }}.join();
    EXPECT_EQ(metrics.requests().count, 2 * Counts::slots_max);
    EXPECT_EQ(sum_of(*counts(), counts()->series.number_of(got)).requests(), 2 * Counts::slots_max);
    EXPECT_FALSE(counts()->own[1].was_used);
}

TEST_F(MetricsTest, ThreadsWithoutASlotShareOne) {
    for (Slot& each : counts()->own) each.owner = ::getpid();
    std::thread{[this] { count(); }}.join();
    std::thread{[this] { count(); }}.join();
    EXPECT_EQ(metrics.requests().count, 2u);
}

TEST_F(MetricsTest, CountRequestsUnderWay) {
    here().begun(3);
    here().ended();
    EXPECT_EQ(metrics.active_requests(), 2u);
    EXPECT_TRUE(says("http_server_active_requests 2"));
    here().ended();
    here().ended();
    EXPECT_EQ(metrics.active_requests(), 0u);
}

TEST_F(MetricsTest, HaveTheDelaysOfLoops) {
    EXPECT_EQ(metrics.loop_delays().count, 0u);
    for (const auto delay : {3ms, 5ms}) metrics.shared().loop_delays()->count_among_others(delay);
    EXPECT_EQ(metrics.loop_delays().count, 2u);
    EXPECT_EQ(metrics.loop_delays().duration, 8ms);
}

TEST_F(MetricsTest, RequestMayEndInAnotherThread) {
    std::thread{[this] { here().begun(2); }}.join();
    EXPECT_EQ(metrics.active_requests(), 2u);
    here().ended();
    EXPECT_EQ(metrics.active_requests(), 1u);
    for (Slot& each : counts()->own) each.owner = ::getpid();
    std::thread{[this] { here().ended(); }}.join();
    EXPECT_EQ(metrics.active_requests(), 0u);
}

TEST_F(MetricsTest, RequestsOfAKilledProcessAreNotUnderWay) {
    if (!tests::forks_safely) GTEST_SKIP() << "this build does not fork";
    EXPECT_TRUE(tests::in_a_forked_process([this] {
        here().begun(1);
        return metrics.active_requests() == 1;
    }));
    EXPECT_EQ(metrics.active_requests(), 0u);
    for (Slot& each : counts()->own) each.owner = 0;  // as the next generation does
    here().begun(1);
    EXPECT_EQ(metrics.active_requests(), 1u);
}

TEST_F(MetricsTest, ProcessesCountTogether) {
    if (!tests::forks_safely) GTEST_SKIP() << "this build does not fork";
    EXPECT_TRUE(tests::in_a_forked_process([this] {
        const Recorder recorder{generation};
        count();
        return true;
    }));
    EXPECT_EQ(metrics.requests().count, 1u);
}

TEST_F(MetricsTest, GoOnInTheFileOfAnEarlierGeneration) {
    Metrics::Shared& first = metrics.shared();
    EXPECT_FALSE(first.count_in_file({}));
    generation = first.of_generation();
    std::thread{[this] { count(); }}.join();
    first.tally()->opened = 3;
    net::UniqueFd file = first.take_file();
    Metrics next;
    EXPECT_TRUE(next.shared().count_in_file(net::UniqueFd{::dup(file.get())}));
    std::thread{[of = next.shared().of_generation()] {
        ThreadCounts{of}.answered(got, 3ms, 10);
    }}.join();
    EXPECT_EQ(next.requests().count, 2u);
    EXPECT_EQ(metrics.requests().count, 2u) << "while both serve";
    EXPECT_EQ(next.connections().opened, 3u);
    first.enter(Metrics::State::stopping);
    EXPECT_EQ(next.state(), Metrics::State::starting);
}

TEST_F(MetricsTest, BeginAnewAfterAnotherLayout) {
    ASSERT_FALSE(metrics.shared().count_in_file({}));
    count();
    const net::UniqueFd file = metrics.shared().take_file();
    const std::uint64_t other = 7;
    ASSERT_EQ(::pwrite(file.get(), &other, sizeof other, 0), ssize_t{sizeof other});
    const net::UniqueFd small{::memfd_create("small", MFD_CLOEXEC)};
    for (const int each : {file.get(), small.get()}) {
        Metrics next;
        EXPECT_FALSE(next.shared().count_in_file(net::UniqueFd{::dup(each)}));
        EXPECT_EQ(next.requests().count, 0u);
    }
}

TEST_F(MetricsTest, OpenConnectionsOfAKilledGenerationAreGone) {
    if (!tests::forks_safely) GTEST_SKIP() << "this build does not fork";
    ASSERT_FALSE(metrics.shared().count_in_file({}));
    const net::UniqueFd file = metrics.shared().take_file();
    const auto own = metrics.shared().tally();
    own->opened = 5;
    own->closed = 1;
    const auto& counts = *metrics.shared().counts;
    EXPECT_TRUE(tests::in_a_forked_process([&] {
        Metrics killed;
        const bool goes_on = killed.shared().count_in_file(net::UniqueFd{::dup(file.get())});
        killed.shared().tally()->opened = 2;
        const GenerationCounts of = killed.shared().of_generation();
        ThreadCounts{of}.answered(got, 3ms, 10);
        return goes_on && killed.connections().open == 6 && metrics.connections().open == 6;
    }));
    EXPECT_EQ(metrics.connections().open, 4u);
    EXPECT_EQ(metrics.connections().opened, 7u);
    const bool had_a_slot =
        std::ranges::any_of(counts.own, [](auto& each) { return each.was_used.load(); });
    EXPECT_TRUE(had_a_slot);
    Metrics next;
    EXPECT_TRUE(next.shared().count_in_file(net::UniqueFd{::dup(file.get())}));
    EXPECT_EQ(next.connections().opened, 7u);
    EXPECT_EQ(next.requests().count, 1u);
    EXPECT_EQ(counts.opened_before, 2u) << "the place is free";
    EXPECT_TRUE(std::ranges::all_of(counts.own, [](auto& each) { return each.owner == 0; }));
}

TEST_F(MetricsTest, TellOfTheConnectionsThatWaitIfAProgramKnowsThem) {
    EXPECT_FALSE(metrics.text().contains("weir_connections_waiting"));
    const auto text = metrics.text(Metrics::Format::prometheus, 3);
    EXPECT_TRUE(text.contains("\nweir_connections_waiting 3\n"));
}

TEST_F(MetricsTest, TellWhatEachThreadDoes) {
    EXPECT_TRUE(metrics.threads().empty());
    count();
    count({.method = http::Method::post, .status = 503});
    here().begun(1);
    std::jthread{[&] {
        count();
        const auto both = metrics.threads();
        ASSERT_EQ(both.size(), 2u);
        EXPECT_EQ(both[0].requests, 2u);
        EXPECT_EQ(both[0].active, 1u);
        EXPECT_EQ(both[1].place, 1u);
        EXPECT_EQ(both[1].requests, 1u);
        here().ended();  // what has begun in another thread
        EXPECT_EQ(metrics.threads()[1].active, 0u);
    }}.join();
    EXPECT_EQ(metrics.threads().size(), 1u) << "the other one has ended";
}

TEST_F(MetricsTest, HaveAQueueIfTheEngineHasOne) {
    EXPECT_FALSE(metrics.queue());
    EXPECT_FALSE(metrics.text().contains("weir_queue"));
    engines::EngineFigures& figures = *metrics.shared().figures();
    metrics.shared().describe(*engines::find("thread-pool"), 4);
    figures.queue_places = 8;
    figures.queue_length = 2;
    figures.queue_entered = 7;
    const engines::BusyWorker one{&figures};
    EXPECT_TRUE(says("weir_queue_length 2"));
    EXPECT_TRUE(says("weir_queue_places 8"));
    EXPECT_TRUE(says("weir_queue_entered_total 7"));
    EXPECT_TRUE(says("weir_workers 4"));
    EXPECT_TRUE(says("weir_workers_busy 1"));
    metrics.shared().figures();  // of the next server
    EXPECT_FALSE(metrics.queue());
}

TEST_F(MetricsTest, HaveProcessesIfTheEngineForks) {
    metrics.shared().describe(*engines::find("per-core"), 2);
    EXPECT_FALSE(metrics.processes());
    metrics.shared().describe(*engines::find("prefork"), 2);
    EXPECT_TRUE(says("weir_processes 0"));
    metrics.shared().figures()->processes = 2;
    EXPECT_TRUE(says("weir_processes 2"));
}

TEST_F(MetricsTest, HaveDelaysOfLoopsThatWereAsked) {
    EXPECT_FALSE(metrics.text().contains("weir_loop_delay"));
    for (const auto delay : {30us, 200us, 20s + 0us})
        metrics.shared().loop_delays()->count_among_others(delay);
    EXPECT_TRUE(says("weir_loop_delay_seconds_bucket{le=\"0.0001\"} 1"));
    EXPECT_TRUE(says("weir_loop_delay_seconds_bucket{le=\"10\"} 2"));
    EXPECT_TRUE(says("weir_loop_delay_seconds_bucket{le=\"+Inf\"} 3"));
    EXPECT_TRUE(says("weir_loop_delay_seconds_sum 20.00023"));
    EXPECT_TRUE(says("weir_loop_delay_seconds_count 3"));
}

TEST_F(MetricsTest, KnowTheStateOfTheServer) {
    EXPECT_EQ(metrics.state(), Metrics::State::starting);
    metrics.leave();
    EXPECT_EQ(metrics.state(), Metrics::State::starting);
    metrics.shared().enter(Metrics::State::serving);
    metrics.leave();
    EXPECT_TRUE(says("weir_state{state=\"leaving\"} 1"));
    EXPECT_TRUE(says("weir_state{state=\"serving\"} 0"));
    metrics.shared().enter(Metrics::State::stopping);
    metrics.leave();
    EXPECT_EQ(metrics.state(), Metrics::State::stopping);
}

TEST_F(MetricsTest, HaveTheFiguresOfTheProcess) {
    metrics.shared().describe(*engines::find("per-core"), 3);
    EXPECT_TRUE(metrics.text().contains("engine=\"per-core\",workers=\"3\"} 1"));
    EXPECT_FALSE(says("process_resident_memory_bytes 0"));
    EXPECT_TRUE(metrics.text().contains("\nprocess_resident_memory_bytes "));
    EXPECT_TRUE(metrics.text().contains("\nprocess_threads "));
}

TEST_F(MetricsTest, CountersHaveTheirNamesInBothFormats) {
    const auto open = Metrics::Format::openmetrics;
    EXPECT_TRUE(says("# TYPE weir_connections_opened_total counter"));
    EXPECT_TRUE(says("# TYPE weir_connections_opened counter", open));
    EXPECT_TRUE(says("weir_connections_opened_total 0", open));
    EXPECT_TRUE(says("# UNIT process_cpu_seconds seconds", open));
    EXPECT_TRUE(metrics.text(open).ends_with("\n# EOF\n"));
    EXPECT_FALSE(metrics.text().contains("# EOF"));
}

TEST(MetricsFormat, IsTheOneThatTheScraperAsksFor) {
    using enum Metrics::Format;
    EXPECT_EQ(Metrics::format_for("application/openmetrics-text;version=1.0.0;q=0.5"), openmetrics);
    EXPECT_EQ(Metrics::format_for("text/plain"), prometheus);
    EXPECT_EQ(Metrics::format_for(""), prometheus);
}

TEST(Exposition, EscapesValuesOfLabels) {
    Exposition out{Metrics::Format::prometheus};
    out.family("a", "gauge", "", "Help.");
    out.sample("", {{"b", "x\\y\"z\n"}}, std::uint64_t{1});
    EXPECT_EQ(std::move(out).end(), "# HELP a Help.\n# TYPE a gauge\na{b=\"x\\\\y\\\"z\\n\"} 1\n");
}

}  // namespace
}  // namespace weir::server

#include "server/metrics/text.h"

#include <array>
#include <functional>
#include <numeric>
#include <string_view>

#include "base/troubles.h"
#include "server/metrics/exposition.h"
#include "server/metrics/process_figures.h"

namespace weir::server {
namespace {

/// The value of http.request.method: a method without a name here is "_OTHER".
std::string_view name_of(http::Method method) noexcept {
    constexpr std::array<std::string_view, 10> names{
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "_OTHER"};
    return names[static_cast<std::size_t>(method)];
}

std::string_view name_of(Trouble kind) noexcept {
    constexpr std::array<std::string_view, Troubles::kinds> names{
        "descriptors", "threads",       "memory",       "connections", "queue_delay", "per_address",
        "slow_peers",  "proxy_headers", "calmed_peers", "handshakes",  "watches",     "root",
        "servers",     "names",         "log_lines",    "workers"};
    return names[static_cast<std::size_t>(kind)];
}

/// The labels of a series, as texts.
struct SeriesLabels {
    explicit SeriesLabels(const Series& series)
        : method{name_of(series.method)},
          status{std::to_string(series.status)},
          version{series.version == 1 ? "1.1" : std::to_string(series.version)} {}

    std::string_view method;
    std::string status;
    std::string version;
};

template <typename Visit>
void each_series(const Counts& counts, Visit visit) {
    for (std::size_t number = 0; number < SeriesTable::size; ++number) {
        if (!counts.series.has(number)) continue;
        const SeriesSum sum = sum_of(counts, number);
        if (sum.requests() != 0) visit(SeriesLabels{counts.series.at(number)}, sum);
    }
}

std::string bound_text(std::size_t bucket) {
    return bucket < duration_bounds.size() ? seconds_text(duration_bounds[bucket]) : "+Inf";
}

void append_durations(Exposition& out, const Counts& counts) {
    out.family("http_server_request_duration_seconds", "histogram", "seconds",
               "From the first byte of a request to the last byte of its response.");
    each_series(counts, [&out](const SeriesLabels& of, const SeriesSum& sum) {
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < sum.by_duration.size(); ++i) {
            below += sum.by_duration[i];
            out.sample("_bucket",
                       {{"http_request_method", of.method},
                        {"http_response_status_code", of.status},
                        {"network_protocol_version", of.version},
                        {"le", bound_text(i)}},
                       below);
        }
        const Exposition::Labels labels{{"http_request_method", of.method},
                                        {"http_response_status_code", of.status},
                                        {"network_protocol_version", of.version}};
        out.sample("_sum", labels, static_cast<double>(sum.microseconds) / 1e6);
        out.sample("_count", labels, below);
    });
}

void append_bytes(Exposition& out, const Counts& counts) {
    out.family("weir_response_content_bytes", "counter", "bytes",
               "Content of responses that was sent, without heads and framing.");
    each_series(counts, [&out](const SeriesLabels& of, const SeriesSum& sum) {
        out.sample("_total",
                   {{"http_request_method", of.method},
                    {"http_response_status_code", of.status},
                    {"network_protocol_version", of.version}},
                   sum.content_bytes);
    });
}

void append_gauge(Exposition& out, std::string_view name, std::string_view help,
                  std::uint64_t value) {
    out.family(name, "gauge", "", help);
    out.sample("", {}, value);
}

void append_connections(Exposition& out, const ServerFacts& facts) {
    append_gauge(out, "weir_connections", "Connections that are open.", facts.connections.open);
    if (facts.connections_waiting)
        append_gauge(out, "weir_connections_waiting",
                     "Connections that wait in the kernel until the engine accepts them.",
                     *facts.connections_waiting);
    out.family("weir_connections_opened", "counter", "", "Connections since the start.");
    out.sample("_total", {}, facts.connections.opened);
}

void append_queue(Exposition& out, const Metrics::Queue& queue) {
    append_gauge(out, "weir_queue_length", "Connections or requests in the engine's queue.",
                 queue.length);
    append_gauge(out, "weir_queue_places", "The longest that the queue may be.", queue.places);
    out.family("weir_queue_entered", "counter", "", "All that has entered the queue.");
    out.sample("_total", {}, queue.entered);
    append_gauge(out, "weir_workers", "Threads that take work out of the queue.", queue.workers);
    append_gauge(out, "weir_workers_busy", "Those of them that have work.", queue.workers_busy);
}

/// Empty for an engine without loops.
void append_loop_delays(Exposition& out, const Histogram& delays) {
    std::array<std::uint64_t, duration_bounds.size() + 1> below{};
    std::inclusive_scan(delays.by_duration.begin(), delays.by_duration.end(), below.begin(),
                        std::plus<>{}, std::uint64_t{0});
    if (below.back() == 0) return;
    out.family("weir_loop_delay_seconds", "histogram", "seconds",
               "From an event to the turn of the loop that takes it, asked once a second.");
    for (std::size_t i = 0; i < below.size(); ++i)
        out.sample("_bucket", {{"le", bound_text(i)}}, below[i]);
    out.sample("_sum", {}, static_cast<double>(delays.microseconds) / 1e6);
    out.sample("_count", {}, below.back());
}

void append_troubles(Exposition& out) {
    out.family("weir_troubles", "counter", "", "Problems that the log reports, by their kind.");
    for (std::size_t kind = 0; kind < Troubles::kinds; ++kind) {
        const auto each = static_cast<Trouble>(kind);
        out.sample("_total", {{"kind", name_of(each)}}, troubles().count(each));
    }
}

void append_server(Exposition& out, const ServerFacts& facts) {
    out.family("weir_build_info", "gauge", "", "The version and the engine of the server.");
    const std::string workers = std::to_string(facts.workers);
    out.sample("", {{"version", WEIR_VERSION}, {"engine", facts.engine}, {"workers", workers}},
               std::uint64_t{1});
    out.family("weir_state", "gauge", "", "The stage of the life of the server: 1 for that state.");
    for (const auto state : {Metrics::State::starting, Metrics::State::serving,
                             Metrics::State::leaving, Metrics::State::stopping})
        out.sample("", {{"state", Metrics::name_of(state)}}, std::uint64_t{state == facts.state});
}

/// The names of the client libraries of Prometheus.
void append_process(Exposition& out, const ServerFacts& facts) {
    const ProcessFigures figures = figures_of(facts.process);
    out.family("process_start_time_seconds", "gauge", "seconds", "The start, since 1970.");
    out.sample("", {}, facts.began.count());
    out.family("process_cpu_seconds", "counter", "seconds", "CPU time of all processes.");
    out.sample("_total", {}, figures.cpu_seconds);
    const auto gauge = [&out](std::string_view name, std::string_view unit, std::string_view help,
                              std::uint64_t value) {
        out.family(name, "gauge", unit, help);
        out.sample("", {}, value);
    };
    gauge("process_resident_memory_bytes", "bytes",
          "Memory of all processes, shared parts in each.", figures.resident_bytes);
    gauge("process_virtual_memory_bytes", "bytes", "Address space of all processes.",
          figures.virtual_bytes);
    gauge("process_open_fds", "", "Descriptors of all processes.", figures.open_files);
    gauge("process_max_fds", "", "The limit on descriptors of one process.",
          figures.open_files_max);
    gauge("process_threads", "", "Threads of all processes.", figures.threads);
}

}  // namespace

SeriesSum sum_of(const Counts& counts, std::size_t series) noexcept {
    SeriesSum sum;
    const auto add = [&](const Cell& cell) {
        for (std::size_t i = 0; i < sum.by_duration.size(); ++i)
            sum.by_duration[i] += cell.by_duration[i].load(std::memory_order_relaxed);
        sum.microseconds += cell.microseconds.load(std::memory_order_relaxed);
        sum.content_bytes += cell.content_bytes.load(std::memory_order_relaxed);
    };
    for (const Slot& each : counts.own)
        if (each.was_used) add(each.cells[series]);
    add(counts.common.cells[series]);
    return sum;
}

std::string text_of(const Counts& counts, const ServerFacts& facts, Metrics::Format format) {
    Exposition out{format};
    append_durations(out, counts);
    append_bytes(out, counts);
    append_gauge(out, "http_server_active_requests", "Requests that are under way.",
                 facts.active_requests);
    append_connections(out, facts);
    if (facts.queue) append_queue(out, *facts.queue);
    if (facts.processes)
        append_gauge(out, "weir_processes", "Processes that the engine has now.", *facts.processes);
    append_loop_delays(out, counts.loop_delays);
    append_troubles(out);
    append_server(out, facts);
    append_process(out, facts);
    return std::move(out).end();
}

}  // namespace weir::server

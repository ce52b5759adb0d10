#include "server/admin/metrics_page.h"

#include <cstddef>

#include "base/troubles.h"
#include "net/descriptors.h"
#include "server/admin/trouble_names.h"

namespace weir::server {
namespace {

constexpr double milliseconds_per_second = 1000;

template <std::size_t count>
Exposition::Read read(const HistogramTotal<count>& total, const Bounds<count>& bounds,
                      double divisor) {
    return {.bounds = bounds, .buckets = total.buckets, .sum = total.sum, .divisor = divisor};
}

/// Calls `visit(answers, labels)` for each protocol and class of status.
template <typename Visit>
void each(const Totals& totals, Visit visit) {
    for (std::size_t protocol = 0; protocol < protocol_names.size(); ++protocol)
        for (std::size_t status = 0; status < status_classes.size(); ++status)
            visit(totals.answers[protocol][status], Labels{{"protocol", protocol_names[protocol]},
                                                           {"status", status_classes[status]}});
}

/// A histogram with nothing in it says no more than that it is not there.
void add_requests(Exposition& out, const Totals& totals) {
    out.counter("weir_http_requests", "Requests that were answered, or whose answer was cut.");
    each(totals, [&out](const Totals::OfAnswers& answers, Labels labels) {
        out.value(answers.duration.values(), labels);
    });
    out.histogram("weir_http_request_duration_seconds",
                  "From the first byte of a request to the end of its answer.", "seconds");
    each(totals, [&out](const Totals::OfAnswers& answers, Labels labels) {
        if (answers.duration.values() != 0)
            out.value(read(answers.duration, duration_bounds, milliseconds_per_second), labels);
    });
    out.histogram("weir_http_response_content_bytes", "Content of answers that was sent.", "bytes");
    each(totals, [&out](const Totals::OfAnswers& answers, Labels labels) {
        if (answers.size.values() != 0) out.value(read(answers.size, size_bounds, 1), labels);
    });
    out.counter("weir_http_answers", "Answers by how they ended.");
    for (std::size_t i = 0; i < outcome_names.size(); ++i)
        out.value(totals.outcomes[i], {{"outcome", outcome_names[i]}});
    out.gauge("weir_handlers_running", "Calls of the handler that have not returned.");
    out.value(totals.handlers_running());
}

void add_connections(Exposition& out, const Facts& facts) {
    out.counter("weir_connections_accepted", "Connections that were accepted, by kind of address.");
    for (std::size_t i = 0; i < entrance_names.size(); ++i)
        out.value(facts.totals.accepted[i], {{"address", entrance_names[i]}});
    out.gauge("weir_connections_open", "Connections, without those in a TLS handshake.");
    out.value(facts.state.connections);
    out.counter("weir_tls_handshakes", "TLS handshakes that were finished, by what ALPN chose.");
    for (std::size_t i = 1; i + 1 < protocol_names.size(); ++i)
        out.value(facts.totals.handshakes[i], {{"protocol", protocol_names[i]}});
}

void add_loops(Exposition& out, const Facts& facts) {
    out.histogram("weir_loop_turn_seconds",
                  "How long the turns of event loops take; other connections wait meanwhile.",
                  "seconds");
    for (const Totals::Loop& loop : facts.totals.loops)
        out.value(read(loop.turns, turn_bounds, milliseconds_per_second),
                  {{"loop", std::to_string(loop.number)}});
    out.gauge("weir_loop_longest_turn_seconds",
              "How long the turn that began first has taken so far; 0 if all loops wait.",
              "seconds");
    const auto longest = facts.totals.longest_turn(facts.now.instant);
    out.value(static_cast<double>(longest.count()) / milliseconds_per_second);
}

void add_queue(Exposition& out, const State& state) {
    if (state.queue_max == 0) return;
    out.gauge("weir_queue_length", "Connections or requests that wait for a worker.");
    out.value(state.queue_length);
    out.gauge("weir_queue_limit", "How many may wait there.");
    out.value(state.queue_max);
}

/// What the connections of forked processes use is not known here.
void add_budgets(Exposition& out, const Facts& facts) {
    if (facts.about.forks) return;
    out.gauge("weir_descriptors_used", "Descriptors of connections and open files.");
    out.value(net::descriptors().used());
    out.gauge("weir_descriptors_limit", "Descriptors that connections and open files may use.");
    out.value(net::descriptors().limit());
    out.gauge("weir_memory_used_bytes", "Memory that connections keep, as --memory counts it.",
              "bytes");
    out.value(facts.state.memory_used);
    out.gauge("weir_memory_limit_bytes", "Memory that connections may keep.", "bytes");
    out.value(facts.state.memory_max);
}

void add_troubles(Exposition& out) {
    out.counter("weir_troubles", "What an operator is told of, by kind.");
    for (std::size_t kind = 0; kind < trouble_names.size(); ++kind)
        out.value(troubles().count(static_cast<Trouble>(kind)), {{"kind", trouble_names[kind]}});
}

/// By the names that clients of Prometheus have agreed on.
void add_process(Exposition& out, const ProcessFigures::Read& process) {
    out.counter("process_cpu_seconds", "CPU time, with that of worker processes.", "seconds");
    out.value(process.cpu_seconds);
    out.gauge("process_resident_memory_bytes", "Memory of the server's process in use.", "bytes");
    out.value(process.resident_bytes);
    out.gauge("process_virtual_memory_bytes", "Addresses of the server's process.", "bytes");
    out.value(process.virtual_bytes);
    out.gauge("process_open_fds", "Open descriptors of the server's process.");
    out.value(process.open_descriptors);
    out.gauge("process_max_fds", "Descriptors that the process may have open.");
    out.value(process.descriptors_max);
    out.gauge("process_start_time_seconds", "When the process started, since 1970.", "seconds");
    out.value(process.start_unix_seconds);
}

}  // namespace

std::string metrics_page(const Facts& facts, Exposition::Format format) {
    Exposition out{format};
    const About& about = facts.about;
    out.info("weir", "What runs here.",
             {{"version", about.version},
              {"engine", about.engine},
              {"workers", std::to_string(about.workers)}});
    out.gauge("weir_ready", "1 while the server serves, 0 from the begin of its stop.");
    out.value(std::uint64_t{facts.state.is_serving});
    add_requests(out, facts.totals);
    add_connections(out, facts);
    add_loops(out, facts);
    add_queue(out, facts.state);
    add_budgets(out, facts);
    add_troubles(out);
    add_process(out, facts.process);
    return out.finish();
}

}  // namespace weir::server

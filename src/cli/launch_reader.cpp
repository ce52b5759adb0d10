#include "cli/launch_reader.h"

#include "engines/engines.h"
#include "server/endpoint.h"

namespace weir::cli {
namespace {

Parsed<std::uint64_t> parse_port(std::string_view text) { return parse_count(text, 65'535); }

Parsed<std::uint64_t> parse_workers(std::string_view text) { return parse_count(text, 1'024); }

Parsed<std::uint64_t> parse_32_bits(std::string_view text) {
    return parse_count(text, std::uint32_t{0} - 1);
}

Parsed<std::string> parse_address(std::string_view text) {
    if (!server::parse_endpoints(text, 0).empty()) return std::string{text};
    return std::unexpected{"'" + std::string{text} +
                           "' is not an address such as 127.0.0.1, :8080, [::1]:8080 or "
                           "unix:/run/weir.sock"};
}

Parsed<std::string> parse_engine(std::string_view text) {
    if (engines::find(text)) return std::string{text};
    std::string message = "there is no engine '" + std::string{text} + "'; there are auto";
    for (const engines::Engine& engine : engines::all()) {
        message += ", ";
        message += engine.name;
    }
    return std::unexpected{message};
}

Parsed<server::AccessLogOptions::Format> parse_log_format(std::string_view text) {
    using enum server::AccessLogOptions::Format;
    if (text == "combined") return combined;
    if (text == "json") return json;
    return std::unexpected{"'" + std::string{text} + "' is neither combined nor json"};
}

/// Head limits of the core as one: a line may fill the head.
Parsed<std::uint64_t> parse_head_size(std::string_view text) {
    constexpr std::uint64_t min = 1'024;
    constexpr std::uint64_t max = std::uint64_t{1} << 20u;
    auto bytes = parse_size(text);
    if (bytes && (*bytes < min || *bytes > max))
        return std::unexpected{"'" + std::string{text} + "' is not between 1K and 1M"};
    return bytes;
}

}  // namespace

void LaunchReader::add() {
    add_server_options();
    add_log_options();
    add_limits();
    reader_.app.set_help_flag("-h,--help", "This text")->group("What it says");
}

void LaunchReader::add_server_options() {
    reader_.app.option_defaults()->group("Where, and by what");
    server::Options& server = options_.server;
    reader_.value("-p,--port", "PORT", server.port, parse_port,
                  "The port to listen on (8000); 0 takes any free one");
    reader_.values("-b,--bind", "ADDRESS", addresses_, parse_address,
                   "Where to listen (127.0.0.1), with or without a port: 0.0.0.0, [::1]:8080, "
                   ":8080 (every address), 8080 (a port of 127.0.0.1), unix:/path; several");
    reader_.value("-e,--engine", "ENGINE", server.engine, parse_engine,
                  "The architecture that serves; `weir engines` lists them (auto)");
    reader_.value("-w,--workers", "N", server.workers, parse_workers,
                  "Threads or processes, for engines that have several (one a core)");
    reader_.flag("--pin", server.pin, "Tie each worker to one core");
    reader_.value("--queue", "N", server.queue_max, parse_32_bits,
                  "Connections or requests that wait for a worker, for engines that queue them "
                  "(128)");
    reader_.value("--busy-poll", "TIME", server.busy_poll, parse_delay,
                  "Look for so long before sleeping, where that pays, for engines on epoll: 50us "
                  "(0)");
}

void LaunchReader::add_log_options() {
    reader_.app.option_defaults()->group("What it says");
    reader_.flag("-q,--quiet", options_.quiet, "No banner, and no requests on the terminal");
    reader_.flag("-v,--verbose", options_.verbose, "Log requests on standard error");
    reader_.value("--access-log", "FILE|-|off", access_log_, parse_text,
                  "Log requests to a file, or on standard error (off)");
    reader_.value("--access-log-format", "combined|json", options_.server.access_log.format,
                  parse_log_format, "As Apache and nginx do, or one object a line (combined)");
}

void LaunchReader::add_limits() {
    reader_.app.option_defaults()->group("Limits (times as 500ms, 10s, 2m; 0 for none)");
    server::Options& server = options_.server;
    http::Timeouts& timeouts = server.timeouts;
    reader_.value("--max-connections", "N", server.connections_max, parse_32_bits,
                  "Connections at once; more wait (as many as descriptors allow)");
    reader_.value("--max-requests", "N", server.limits.requests_per_connection_max, parse_32_bits,
                  "Requests of one connection (any number)");
    reader_.value("--max-head", "SIZE", head_bytes_max_, parse_head_size,
                  "Request line and headers together (32K, and 8K a line)");
    reader_.value("--head-timeout", "TIME", timeouts.head, parse_duration,
                  "For a request's head to arrive (10s)");
    reader_.value("--keep-alive-timeout", "TIME", timeouts.keep_alive, parse_duration,
                  "Between two requests (75s)");
    reader_.value("--transmit-timeout", "TIME", timeouts.transmit, parse_duration,
                  "In which a client takes nothing of its answer (30s)");
    reader_.value("--stop-timeout", "TIME", server.stop_timeout, parse_duration,
                  "For what is under way when the server stops (10s); 0 cuts it");
}

void LaunchReader::finish() {
    server::Options& server = options_.server;
    if (!addresses_.empty()) server.addresses = std::move(addresses_);
    const std::string log = access_log_.value_or(options_.verbose ? "-" : "off");
    if (log != "off") server.access_log.path = log;
    if (head_bytes_max_ > 0)
        server.limits.head_bytes_max = server.limits.request_line_bytes_max =
            server.limits.field_line_bytes_max = head_bytes_max_;
}

}  // namespace weir::cli

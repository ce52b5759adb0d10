#include <chrono>
#include <cstdlib>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/commands/health_question.h"
#include "cli/help/output.h"
#include "cli/option/quantities.h"
#include "cli/options/option_reader.h"
#include "cli/serve/serve_options.h"

// `weir health` checks whether a server answers. A container with nothing but weir has no other
// client.
namespace weir::cli {
namespace {

std::string variable(const char* name) {
    const char* const text = std::getenv(name);
    return text ? text : "";
}

std::string first_line_of(const char* name, const char* otherwise) {
    const std::string value = variable(name);
    return value.empty() ? otherwise : value.substr(0, value.find('\n'));
}

/// setsockopt(2) takes 0 for no limit.
Parsed<std::chrono::milliseconds> parse_patience(std::string_view text) {
    const auto time = parse_duration(text);
    if (time && time->count() == 0) return std::unexpected{"a time above 0 is needed"};
    return time;
}

struct HealthReader {
    HealthReader() {
        reader.group("Options");
        reader.value(
            "ADDRESS", "", address, parse_text,
            "Address of the server, as --bind takes it: 127.0.0.1:8080, [::1]:8080, :8080, "
            "unix:/path. Or a URL: https://127.0.0.1:8443/ready");
        reader.value(
            "--ca", "FILE", manner.ca, parse_text,
            "Ask over TLS alone, and verify the server's certificate: one of these CAs (PEM) must "
            "have signed it");
        reader.value("--config", "FILE", config, parse_text,
                     "Ask where weir serve --config FILE listens");
        reader.value(
            "--timeout", "TIME", manner.patience, parse_patience,
            "Time to connect, and time for each piece of the answer to come (default: 4s)");
        reader.help_flag();
    }

    std::string address;
    Manner manner;
    std::string config = variable("WEIR_CONFIG");
    OptionReader reader{
        {.command = "health",
         .summary = "check that a server answers",
         .usage = "[ADDRESS]",
         .description =
             "Sends one request (HEAD), in plain HTTP, and over TLS if the server speaks that. Exits "
             "with 0 if the status of the answer is 2xx or 3xx, with 1 otherwise; for / alone, 401, 403 and "
             "404 are healthy, too. Without ADDRESS, it asks where `weir serve` listens: "
             "as the file of --config or WEIR_CONFIG says, at WEIR_BIND and WEIR_PORT, or at "
             "127.0.0.1:8000; with WEIR_TLS or WEIR_TLS_CERT, over TLS alone."}};
};

bool variables_have_tls() {
    return parse_flag(first_line_of("WEIR_TLS", "0")).value_or(false) ||
           !variable("WEIR_TLS_CERT").empty();
}

/// At the root, some errors are healthy, too: a folder need not have a page there, nor one for
/// every client.
bool is_healthy(const std::string& digits, const std::string& path) {
    if (digits >= "200" && digits < "400") return true;
    return path == "/" && (digits == "401" || digits == "403" || digits == "404");
}

/// Returns a host that the first of several sites answers for.
std::string host_of(const config::SiteHead& first) {
    const std::string& pattern = first.hosts.front();
    return pattern.starts_with('*') ? "weir-health" + pattern.substr(1) : pattern;
}

/// Returns an address of a server with this configuration file, or the file's fault.
std::expected<Target, NoOptions> target_of_file(const std::string& config, bool verifies) {
    auto options = parse_serve_options({"--config", config});
    if (!options) return std::unexpected{std::move(options.error())};
    auto target = parse_target(options->server.addresses.front(), options->server.port);
    if (!target) return std::unexpected{wrong_use("weir health", target.error())};
    if (verifies || options->tls.on) target->scheme = Target::Scheme::https;
    const auto& sites = options->sites;
    if (!sites.empty() && !sites.front().head.hosts.empty())
        target->host = target->authority = host_of(sites.front().head);
    return std::move(*target);
}

/// The error is a fault of the command line or of a variable.
std::expected<Target, std::string> find_target(const std::string& address, bool verifies) {
    using enum Target::Scheme;
    const auto port = parse_count(first_line_of("WEIR_PORT", "8000"), 65'535);
    if (!port) return std::unexpected{"WEIR_PORT: " + port.error()};
    const auto text = address.empty() ? first_line_of("WEIR_BIND", "127.0.0.1") : address;
    auto target = parse_target(text, static_cast<std::uint16_t>(*port));
    if (!target) return target;
    if (verifies && target->scheme == http)
        return std::unexpected{"--ca: " + address + " has no certificate; https:// has one"};
    if (verifies || (address.empty() && variables_have_tls())) target->scheme = https;
    return target;
}

std::expected<Target, NoOptions> target_of(const HealthReader& options) {
    const bool verifies = !options.manner.ca.empty();
    if (options.address.empty() && !options.config.empty())
        return target_of_file(options.config, verifies);
    auto target = find_target(options.address, verifies);
    if (!target) return std::unexpected{wrong_use("weir health", target.error())};
    return std::move(*target);
}

}  // namespace

int check_health(std::vector<std::string> arguments) {
    HealthReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    const auto target = target_of(options);
    if (!target) return tell(target.error());
    const auto status = ask(*target, options.manner);
    const std::string where = target->address.text();
    if (!status) return fail("weir health", where + ' ' + status.error());
    const auto said = where + " answers " + status->digits + (status->over_tls ? " over TLS" : "");
    if (is_healthy(status->digits, target->path)) return say(said + '\n');
    return fail("weir health", said + " to HEAD " + target->path + ", which is not healthy");
}

Page health_page() { return HealthReader{}.reader.page(); }

}  // namespace weir::cli

#include "cli/options/log_reader.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/option/near_miss.h"
#include "server/log/line/log_format.h"
#include "server/log/target/log_destination.h"

namespace weir::cli {
namespace {

using Format = LogReader::Format;
using server::AccessLogOptions;

std::vector<std::string> field_names() {
    std::vector<std::string> names;
    for (const server::LogField& field : server::log_fields())
        names.push_back(server::written_name(field));
    return names;
}

/// Returns "; did you mean {status}?", or all names if none is near.
std::string advice_on_field(const std::string& unknown) {
    std::vector<std::string> names;
    for (const std::string& name : field_names()) names.push_back("{" + name + "}");
    const auto meant = did_you_mean("{" + unknown + "}", names);
    return meant.empty() ? "; the fields are " + enumerated(names, " and ") : meant;
}

Parsed<Format> parse_own_format(std::string_view text) {
    const auto format = server::LogFormat::parse(text);
    if (format) return Format{.format = AccessLogOptions::Format::own, .own = std::string{text}};
    const auto& [sentence, unknown] = format.error();
    return std::unexpected{sentence + (unknown.empty() ? "" : advice_on_field(unknown))};
}

Parsed<Format> parse_format(std::string_view text) {
    using enum AccessLogOptions::Format;
    if (text.contains('{') || text.contains('}')) return parse_own_format(text);
    const auto word =
        parse_word<AccessLogOptions::Format>(text, {{"combined", combined}, {"json", json}});
    if (word) return Format{.format = *word};
    return std::unexpected{word.error() + ", and a format has fields such as {status}"};
}

/// A name without its colon would be that of a file.
Parsed<std::string> parse_destination(std::string_view text) {
    std::string name{text};
    if (text == "syslog" || text == "journald")
        return std::unexpected{"the daemon is '" + name + ":', and a file of that name is './" +
                               name + "'"};
    return name;
}

Parsed<access::Paths> parse_paths(std::string_view text) {
    if (text.empty()) return std::unexpected{"a pattern such as '/healthz' is missing"};
    if (auto refusal = access::Paths::refusal(text); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    return access::Paths{text};
}

Parsed<std::uint64_t> parse_sample(std::string_view text) {
    return parse_count(text, 1'000'000, 1);
}

Parsed<LogReader::Rotation> parse_rotation(std::string_view text) {
    constexpr std::uint64_t min = 1'024;
    if (text == "daily") return LogReader::Rotation{.is_daily = true};
    const auto bytes = parse_size(text);
    if (!bytes) return std::unexpected{bytes.error() + ", or daily"};
    if (*bytes < min) return std::unexpected{"'" + std::string{text} + "' is less than 1K"};
    return LogReader::Rotation{.bytes = *bytes};
}

Parsed<std::uint64_t> parse_kept(std::string_view text) { return parse_count(text, 1'000, 1); }

/// A path that cannot be read is in no pattern, so its request is logged.
bool is_in_any(const std::vector<access::Paths>& patterns, std::string_view asked) {
    const access::RequestPath path{asked};
    if (!path.text()) return false;
    const std::vector<std::string> names{std::string{*path.text()}};
    return std::ranges::any_of(patterns, [&](const auto& paths) { return paths.contain(names); });
}

}  // namespace

void LogReader::add() {
    reader_.group("Output");
    reader_.flag("-q,--quiet", options_.quiet,
                 "Do not print the banner, nor requests on the terminal");
    reader_.flag("-v,--verbose", options_.verbose, "Log requests to standard error");
    reader_.value("--access-log", "FILE|-|syslog:PATH|journald:PATH|off", path_, parse_destination,
                  "Log requests to a file, stderr (-) or a daemon (default: off)");
    reader_.value("--access-log-format", "combined|json|FORMAT", format_, parse_format,
                  "Log format: combined is that of Apache and nginx, json is one object per line; "
                  "or a text with fields in braces, such as '{remote} {status} {target}', of " +
                      enumerated(field_names(), " and ") + " (default: combined)");
    add_selection();
    add_rotation();
    reader_.help_flag();
}

void LogReader::add_selection() {
    reader_.values("--log-skip", "PATTERN", skipped_, parse_paths,
                   "Do not log requests for these paths, such as '/healthz' or '/assets/*', unless "
                   "the status is 500 or higher; can be repeated");
    reader_.value("--log-sample", "N", options_.server.access_log.sample, parse_sample,
                  "Log one in N of the answers whose status is below 400 (default: 1)");
}

void LogReader::add_rotation() {
    rotate_ = reader_.value(
        "--access-log-rotate", "SIZE|daily", rotation_, parse_rotation,
        "Rename the log to FILE.1, FILE.2 and so on, before it is larger than this, such as 100M, "
        "or each day (UTC)");
    keep_ = reader_.value("--access-log-keep", "N", options_.server.access_log.rotate_keep,
                          parse_kept, "Renamed logs to keep (default: 7)");
}

void LogReader::check_rotation() const {
    const std::string& path = options_.server.access_log.path;
    if (keep_->count() > 0 && rotate_->count() == 0)
        throw WrongUse{keep_->given_by + " needs --access-log-rotate"};
    const auto destination = server::LogDestination::of(path);
    std::error_code error;
    if (rotate_->count() > 0 && std::filesystem::is_symlink(path, error))
        throw WrongUse{rotate_->given_by + ": " + path +
                       " is a symbolic link; name the file that it leads to"};
    if (rotate_->count() == 0 || destination.is_file()) return;
    throw WrongUse{rotate_->given_by + " needs --access-log FILE" +
                   (destination.is_socket() ? "; the daemon of " + path + " keeps its log" : "")};
}

void LogReader::finish() {
    AccessLogOptions& log = options_.server.access_log;
    const std::string path = path_.value_or(options_.verbose ? "-" : "off");
    if (path != "off") log.path = path;
    log.format = format_.format;
    log.own_format = format_.own;
    log.rotate_bytes = rotation_.bytes;
    log.rotate_daily = rotation_.is_daily;
    check_rotation();
    if (!skipped_.empty())
        log.skip = [patterns = std::move(skipped_)](const http::Request& request) {
            return is_in_any(patterns, request.asked_path());
        };
}

}  // namespace weir::cli

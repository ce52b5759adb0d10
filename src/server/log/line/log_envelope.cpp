#include "server/log/line/log_envelope.h"

#include <syslog.h>
#include <unistd.h>

#include <string_view>

#include "server/log/line/log_escape.h"
#include "server/log/line/log_time.h"

namespace weir::server {
namespace {

constexpr std::string_view program = "weir";
constexpr std::string_view message = "MESSAGE=";  // comes last: LogSocket cuts a long datagram

int priority_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::info: return LOG_INFO;
        case Severity::warning: return LOG_WARNING;
        case Severity::error: return LOG_ERR;
    }
    return LOG_INFO;
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    out += name;
    out += '=';
    append_escaped(out, value, Escape::hexadecimal);
    out += '\0';
}

}  // namespace

LogEnvelope::LogEnvelope(LogDestination::Kind kind) noexcept : kind_{kind}, process_{::getpid()} {}

void LogEnvelope::open(std::string& out, const AccessEntry& entry) const {
    constexpr unsigned first_server_error = 500;
    const unsigned status = http::code(entry.status);
    append_head(out, status >= first_server_error ? Severity::error : Severity::info,
                entry.unix_seconds);
    if (!is_journal()) return;
    append_field(out, "WEIR_STATUS", std::to_string(status));
    append_field(out, "WEIR_REMOTE", entry.remote);
    append_field(out, "WEIR_METHOD", entry.method);
    out += message;
}

void LogEnvelope::open(std::string& out, Severity severity, std::int64_t unix_seconds) const {
    append_head(out, severity, unix_seconds);
    if (is_journal()) out += message;
}

void LogEnvelope::append_head(std::string& out, Severity severity,
                              std::int64_t unix_seconds) const {
    const int priority = priority_of(severity);
    if (is_journal()) {
        append_field(out, "PRIORITY", std::to_string(priority));
        append_field(out, "SYSLOG_IDENTIFIER", program);
    } else if (kind_ == LogDestination::Kind::syslog) {
        out += '<' + std::to_string(LOG_DAEMON | priority) + '>';
        out += local_date_and_time(unix_seconds);
        ((out += ' ') += program) += '[' + std::to_string(process_) + "]: ";
    }
}

void LogEnvelope::close(std::string& out) const {
    if (!is_journal()) return;
    out.back() = '\0';
    out += '\n';
}

}  // namespace weir::server

#include "server/log/line/access_line.h"

#include <array>
#include <charconv>

#include "http/head/trace_context.h"
#include "server/log/line/log_escape.h"
#include "server/log/line/log_time.h"
#include "weir/http/request.h"

namespace weir::server {
namespace {

void append_number(std::string& out, std::uint64_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

/// An empty field is `-`, as in the combined format.
void append_or_dash(std::string& out, std::string_view text) {
    if (text.empty()) {
        out += '-';
    } else {
        append_escaped(out, text, Escape::hexadecimal);
    }
}

void append_quoted_or_dash(std::string& out, std::string_view text) {
    out += " \"";
    append_or_dash(out, text);
    out += '"';
}

void append_request_line(std::string& out, const AccessEntry& entry) {
    out += " \"";
    if (entry.readable) {
        append_escaped(out, entry.method, Escape::hexadecimal);
        out += ' ';
        append_escaped(out, entry.target, Escape::hexadecimal);
        out += ' ';
        append_protocol(out, entry);
    } else {
        out += '-';
    }
    out += '"';
}

/// One word: a space would end the field.
void append_user(std::string& out, std::string_view user) {
    out += " - ";
    if (user.empty()) out += '-';
    for (const char& c : user)
        if (c == ' ')
            out += "\\x20";
        else
            append_escaped(out, {&c, 1}, Escape::hexadecimal);
}

void append_combined_time(std::string& out, std::int64_t unix_seconds) {
    out += " [";
    out += combined_time(unix_seconds);
    out += ']';
}

/// Appends `,"name":`; `name` needs no escaping.
void append_json_name(std::string& out, std::string_view name) {
    out += ",\"";
    out += name;
    out += "\":";
}

void append_json_text(std::string& out, std::string_view name, std::string_view text) {
    append_json_name(out, name);
    out += '"';
    append_escaped(out, text, Escape::json);
    out += '"';
}

void append_json_number(std::string& out, std::string_view name, std::uint64_t number) {
    append_json_name(out, name);
    append_number(out, number);
}

void append_json_request(std::string& out, const AccessEntry& entry) {
    append_json_text(out, "method", entry.method);
    append_json_text(out, "target", entry.target);
    append_json_name(out, "protocol");
    out += '"';
    append_protocol(out, entry);
    out += '"';
    append_json_text(out, "host", entry.authority);
    if (!entry.user.empty()) append_json_text(out, "user", entry.user);
    if (!entry.referer.empty()) append_json_text(out, "referer", entry.referer);
    if (!entry.user_agent.empty()) append_json_text(out, "user_agent", entry.user_agent);
    if (!entry.request_id.empty()) append_json_text(out, "request_id", entry.request_id);
    if (const auto id = trace_id_of(entry); !id.empty()) append_json_text(out, "trace_id", id);
}

}  // namespace

std::string_view to_text(http::Outcome outcome) noexcept {
    switch (outcome) {
        case http::Outcome::sent: return "sent";
        case http::Outcome::peer_gone: return "peer gone";
        case http::Outcome::timed_out: return "timed out";
        case http::Outcome::source_failed: return "source failed";
        case http::Outcome::stopped: return "stopped";
        case http::Outcome::out_of_memory: return "out of memory";
    }
    return "unknown";
}

void append_protocol(std::string& out, const AccessEntry& entry) {
    out += "HTTP/";
    append_number(out, entry.major_version);
    out += '.';
    append_number(out, entry.minor_version);
}

std::string_view trace_id_of(const AccessEntry& entry) noexcept {
    if (!entry.request) return {};
    return http::trace_id_of(entry.request->field("traceparent").value_or(""));
}

void append_milliseconds(std::string& out, std::chrono::microseconds duration) {
    const auto count = static_cast<std::uint64_t>(duration.count());
    append_number(out, count / 1000);
    append_fraction(out, static_cast<std::uint32_t>(count % 1000), 3);
}

void append_combined(std::string& out, const AccessEntry& entry) {
    append_or_dash(out, entry.remote);
    append_user(out, entry.user);
    append_combined_time(out, entry.unix_seconds);
    append_request_line(out, entry);
    out += ' ';
    append_number(out, http::code(entry.status));
    out += ' ';
    append_number(out, entry.content_bytes);
    append_quoted_or_dash(out, entry.referer);
    append_quoted_or_dash(out, entry.user_agent);
    out += '\n';
}

void append_json(std::string& out, const AccessEntry& entry) {
    out += "{\"time\":\"";
    append_precise_time(out, entry.unix_seconds, entry.microseconds);
    out += '"';
    append_json_text(out, "remote", entry.remote);
    if (entry.readable) append_json_request(out, entry);
    if (!entry.tls.empty()) append_json_text(out, "tls", entry.tls);
    if (!entry.client_subject.empty()) append_json_text(out, "client", entry.client_subject);
    if (!entry.client_fingerprint.empty())
        append_json_text(out, "client_fingerprint", entry.client_fingerprint);
    append_json_number(out, "status", http::code(entry.status));
    append_json_number(out, "bytes", entry.content_bytes);
    append_json_name(out, "duration_ms");
    append_milliseconds(out, entry.duration);
    append_json_text(out, "outcome", to_text(entry.outcome));
    if (entry.sample > 1) append_json_number(out, "sample", entry.sample);
    out += "}\n";
}

void append_combined_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds) {
    out += '-';
    append_user(out, {});
    append_combined_time(out, unix_seconds);
    out += " \"-\" 0 0 \"-\" \"weir: ";
    append_number(out, lines);
    out += " lines were dropped\"\n";
}

void append_json_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds) {
    out += "{\"time\":\"";
    out += internet_time(unix_seconds);
    out += '"';
    append_json_number(out, "dropped_lines", lines);
    out += "}\n";
}

}  // namespace weir::server

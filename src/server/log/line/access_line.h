#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/http/response.h"
#include "weir/http/status.h"

namespace weir::http {
class Request;
}  // namespace weir::http

namespace weir::server {

/// The data for one line of the access log. All text is borrowed, and not escaped yet.
struct AccessEntry {
    std::string_view remote;  // address, without its port
    std::int64_t unix_seconds = 0;
    std::uint32_t microseconds = 0;  // of the second
    bool readable = false;  // false: the request was malformed, and the fields below are empty
    std::string_view method;
    std::string_view target;
    std::string_view authority;
    unsigned major_version = 1;
    unsigned minor_version = 1;
    std::string_view user;  // empty: the request has no user
    std::string_view referer;
    std::string_view user_agent;
    std::string_view request_id;  // empty if the format has none
    std::string_view tls;         // the version; empty for a plain connection
    std::string_view client_subject;
    std::string_view client_fingerprint;
    const http::Request* request = nullptr;  // for its other fields; null if malformed
    http::Status status = http::Status::ok;
    http::Outcome outcome = http::Outcome::sent;
    std::uint64_t content_bytes = 0;
    std::chrono::microseconds duration{0};
    std::uint32_t sample = 1;  // the number of answers that the line stands for
};

/// The ID of the trace that the request belongs to (W3C Trace Context); empty if it has none.
std::string_view trace_id_of(const AccessEntry& entry) noexcept;

/// How a response ended, for the JSON log.
std::string_view to_text(http::Outcome outcome) noexcept;

/// Appends "HTTP/1.1" or "HTTP/2.0", as Apache and nginx write it.
void append_protocol(std::string& out, const AccessEntry& entry);

/// Appends "17.042": a duration in milliseconds.
void append_milliseconds(std::string& out, std::chrono::microseconds duration);

/// Appends a line in the combined format of Apache and nginx, which every log analyser reads:
/// 192.0.2.7 - - [20/Nov/2026:18:31:00 +0000] "GET / HTTP/1.1" 200 1234 "referer" "user agent"
void append_combined(std::string& out, const AccessEntry& entry);
/// Appends one JSON object as a line of US-ASCII, with all fields.
void append_json(std::string& out, const AccessEntry& entry);

/// Appends a line that replaces `lines` dropped lines, in the same formats, so that a log analyser
/// can parse it.
void append_combined_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds);
void append_json_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds);

}  // namespace weir::server

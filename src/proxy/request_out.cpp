#include "proxy/request_out.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes/base64.h"
#include "base/bytes/random_bytes.h"
#include "http/client_origin.h"
#include "http/syntax/field_lines.h"
#include "http/syntax/lower_case.h"
#include "proxy/hop_by_hop.h"
#include "proxy/max_forwards.h"
#include "proxy/route_path.h"
#include "weir/http/tunnel.h"

namespace weir::proxy {
namespace {

using http::append_line;
using http::FieldName;
using http::client::Outgoing;

/// Fields that this server writes itself, and Proxy: CGI makes HTTP_PROXY of it, where programs
/// look for a proxy of their own.
constexpr std::array<std::string_view, 9> own_fields{"host",
                                                     "expect",
                                                     "proxy-authorization",
                                                     "x-forwarded-for",
                                                     "x-forwarded-host",
                                                     "x-forwarded-proto",
                                                     "forwarded",
                                                     "via",
                                                     "proxy"};

/// CGI, and servers after its model, read - and _ as the same byte (RFC 3875 4.1.18).
bool reads_as(std::string_view name, std::string_view field) noexcept {
    return std::ranges::equal(name, field, [](char theirs, char ours) {
        return theirs == '_' ? ours == '-' : http::lower_case(theirs) == ours;
    });
}

/// With X_Forwarded_For, a client could say where it came from, and with Content_Length, where its
/// request ends. Other X-Forwarded-* are those of a balancer in front, but not with an underscore.
bool is_own(std::string_view name) noexcept {
    constexpr std::string_view forwarded = "x-forwarded-";
    const auto is_read = [name](std::string_view field) { return reads_as(name, field); };
    return std::ranges::any_of(own_fields, is_read) ||
           std::ranges::any_of(HopByHop::fixed, is_read) ||
           (name.contains('_') && reads_as(name.substr(0, forwarded.size()), forwarded));
}

bool has_empty_query(const http::Request& request) noexcept {
    return request.asked_query().empty() && request.target().ends_with('?');
}

/// The path and query for the server: RFC 9112 3.2.1.
void append_target(std::string& out, const http::Request& request, std::string_view path_of_target,
                   std::string_view below) {
    std::string_view path = request.path();
    std::string front;
    take_segments(path, segments_of(below), front);
    if (!path_of_target.empty()) front = path_of_target;
    if (path.starts_with('/') && front.ends_with('/')) front.pop_back();
    out.append(front).append(path);
    if (!request.query().empty() || has_empty_query(request))
        out.append("?").append(request.query());
}

/// In HTTP/2, Cookie may come in several lines (RFC 9113 8.2.3).
void append_cookies(std::string& out, const http::Request& request) {
    std::string cookies;
    request.each(FieldName::cookie, [&cookies](std::string_view value) {
        if (!cookies.empty()) cookies += "; ";
        cookies += value;
    });
    if (!cookies.empty()) append_line(out, "Cookie", cookies);
}

void append_fields(std::string& out, const http::Request& request) {
    HopByHop hop_by_hop;
    request.each(FieldName::connection,
                 [&hop_by_hop](std::string_view value) { hop_by_hop.add(value); });
    for (const http::FieldLine& line : request.fields()) {
        const std::string_view name = request.name_of(line);
        if (line.id == FieldName::cookie || is_own(name) || hop_by_hop.has(name)) continue;
        if (const auto limit = max_forwards(request, line))
            append_line(out, name, std::to_string(*limit - 1));
        else
            append_line(out, name, request.value_of(line));
    }
    append_cookies(out, request);
}

void append_origin(std::string& out, const http::Request& request) {
    std::string address;
    request.origin().append_address(address);
    append_line(out, "X-Forwarded-For", address);
    append_line(out, "X-Forwarded-Proto", http::is_secure(request.origin()) ? "https" : "http");
    if (!request.authority().empty()) append_line(out, "X-Forwarded-Host", request.authority());
    const std::string version = request.major_version() == 1
                                    ? "1." + std::to_string(request.minor_version())
                                    : std::to_string(request.major_version());
    std::string via;
    for (const http::FieldLine& line : request.fields())
        if (http::equals_ignoring_case(request.name_of(line), "via"))
            via.append(request.value_of(line)).append(", ");
    append_line(out, "Via", via + version + " weir");
}

void append_framing(std::string& out, const http::Request& request, Outgoing& outgoing) {
    if (!request.content_pending()) {
        if (http::client::anticipates_content(request.method()))
            append_line(out, "Content-Length", "0");
    } else if (const auto length = request.content_length()) {
        outgoing.content = Outgoing::Content::sized;
        append_line(out, "Content-Length", std::to_string(*length));
    } else {
        outgoing.content = Outgoing::Content::chunked;
        append_line(out, "Transfer-Encoding", "chunked");
    }
}

/// WebSocket in HTTP/2 has no key (RFC 8441 5), and the server wants one (RFC 6455 4.1).
void append_upgrade(std::string& out, const http::Request& request) {
    append_line(out, "Connection", "Upgrade");
    append_line(out, "Upgrade", upgrade_protocol);
    constexpr std::string_view key = "Sec-WebSocket-Key";
    if (!request.field(key)) append_line(out, key, base64_encoded(random_bytes(16)));
}

}  // namespace

Outgoing request_out(const http::Request& request, const upstream::Target& target,
                     std::string_view below, bool keeps_host) {
    Outgoing out{.head = {}, .method = request.method()};
    std::string& head = out.head;
    head.append(request.method_text()).append(" ");
    append_target(head, request, target.path, below);
    head += " HTTP/1.1\r\n";
    const bool has_host = keeps_host && !request.authority().empty();
    append_line(head, "Host", has_host ? request.authority() : target.authority);
    append_fields(head, request);
    append_origin(head, request);
    append_framing(head, request, out);
    out.upgrades = http::can_upgrade(request, upgrade_protocol);
    if (out.upgrades) append_upgrade(head, request);
    head += "\r\n";
    return out;
}

}  // namespace weir::proxy

#include "client/url.h"

#include <algorithm>
#include <utility>

#include "base/hexadecimal.h"
#include "http/syntax/authority.h"
#include "http/syntax/lower_case.h"
#include "weir/http/field_name.h"

namespace weir::web::detail {
namespace {

/// The scheme with its colon (RFC 3986 3.1); empty: the text is relative.
std::string_view scheme_of(std::string_view text) noexcept {
    const std::size_t end = text.find_first_of(":/?#");
    if (end == text.npos || text[end] != ':' || end == 0) return {};
    return text.substr(0, end + 1);
}

bool has_control(std::string_view text) noexcept {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

/// Encodes the bytes that a request line can't have, as browsers do.
std::string encoded(std::string_view target) {
    std::string out;
    for (const char c : target) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > ' ' && byte < 0x7f)
            out += c;
        else
            append_hex_byte(out += '%', byte);
    }
    return out;
}

/// "//host:port/path?query"
std::optional<Url> parse_hierarchy(std::string_view text, bool is_secure) {
    if (!text.starts_with("//")) return std::nullopt;
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find_first_of("/?"), text.size());
    Url url{.is_secure = is_secure,
            .authority = http::lower_case(text.substr(0, end)),
            .target = encoded(text.substr(end))};
    if (!http::is_authority(url.authority, http::Port::optional)) return std::nullopt;
    if (!url.target.starts_with('/')) url.target.insert(0, "/");
    return url;
}

/// Removes the last segment, and its slash.
void remove_segment(std::string& path) { path.resize(std::min(path.rfind('/'), path.size())); }

/// RFC 3986 5.2.4, for a path that begins with a slash.
std::string without_dot_segments(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/', 1), path.size());
        const std::string_view segment = path.substr(0, end);
        path.remove_prefix(end);
        if (segment == "/..") remove_segment(out);
        if (segment != "/." && segment != "/..")
            out += segment;
        else if (path.empty())
            out += '/';
    }
    return out;
}

std::string_view path_of(std::string_view target) noexcept {
    return target.substr(0, target.find('?'));
}

std::string normal(std::string_view target) {
    const std::string_view path = path_of(target);
    return without_dot_segments(path) += target.substr(path.size());
}

std::string_view without_default_port(const Url& url) noexcept {
    std::string_view authority = url.authority;
    const std::string_view port = url.is_secure ? ":443" : ":80";
    if (authority.ends_with(port)) authority.remove_suffix(port.size());
    if (authority.ends_with(':')) authority.remove_suffix(1);
    return authority;
}

}  // namespace

std::optional<Url> parse_url(std::string_view text) {
    text = text.substr(0, text.find('#'));
    const std::string_view scheme = scheme_of(text);
    const bool is_secure = http::equals_ignoring_case(scheme, "https:");
    const bool is_http = is_secure || http::equals_ignoring_case(scheme, "http:");
    if (has_control(text) || !is_http) return std::nullopt;
    return parse_hierarchy(text.substr(scheme.size()), is_secure);
}

std::optional<Url> resolve(const Url& base, std::string_view reference) {
    reference = reference.substr(0, reference.find('#'));
    if (has_control(reference)) return std::nullopt;
    if (!scheme_of(reference).empty() || reference.starts_with("//")) {
        auto url = reference.starts_with('/') ? parse_hierarchy(reference, base.is_secure)
                                              : parse_url(reference);
        if (url) url->target = normal(url->target);
        return url;
    }
    if (reference.empty()) return base;
    Url url = base;
    const std::string more = encoded(reference);
    const std::string path{path_of(base.target)};
    if (more.starts_with('/'))
        url.target = normal(more);
    else if (more.starts_with('?'))
        url.target = path + more;
    else
        url.target = normal(path.substr(0, path.rfind('/') + 1) + more);
    return url;
}

bool are_of_one_origin(const Url& one, const Url& other) {
    return one.is_secure == other.is_secure &&
           without_default_port(one) == without_default_port(other);
}

}  // namespace weir::web::detail

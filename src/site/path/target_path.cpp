#include "site/path/target_path.h"

#include <cassert>
#include <optional>
#include <utility>

#include "base/hexadecimal.h"

namespace weir::site {

using http::Status;

namespace {

/// Decodes one segment to `out`. Returns its length, or the status for a segment that is not
/// allowed.
std::expected<std::size_t, Status> decode_segment(std::string_view segment, char* out) noexcept {
    std::size_t size = 0;
    for (std::size_t i = 0; i < segment.size(); ++i) {
        char c = segment[i];
        const bool escaped = c == '%';
        if (escaped) {
            const int high = i + 2 < segment.size() ? hex_value(segment[i + 1]) : -1;
            const int low = i + 2 < segment.size() ? hex_value(segment[i + 2]) : -1;
            if (high < 0 || low < 0) return std::unexpected{Status::bad_request};
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (c == '\0') return std::unexpected{Status::bad_request};
        if (c == '/') return std::unexpected{Status::not_found};
        out[size++] = c;
    }
    return size;
}

}  // namespace

std::expected<std::string_view, Status> target_path(std::string_view target,
                                                    std::span<char> buffer) noexcept {
    assert(buffer.size() >= target.size());
    if (!target.starts_with('/')) return std::unexpected{Status::bad_request};
    char* const out = buffer.data();
    out[0] = '/';
    std::size_t size = 1;  // out[size - 1] is '/' whenever a segment begins

    for (std::size_t begin = 1; begin < target.size();) {
        const std::size_t slash = target.find('/', begin);
        const bool last = slash == target.npos;
        const auto decoded =
            decode_segment(target.substr(begin, last ? target.npos : slash - begin), out + size);
        if (!decoded) return std::unexpected{decoded.error()};
        const std::string_view segment{out + size, *decoded};
        if (segment == "..") {
            if (size == 1) return std::unexpected{Status::not_found};
            size = std::string_view{out, size - 1}.rfind('/') + 1;
        } else if (!segment.empty() && segment != ".") {
            size += segment.size();
            if (!last) out[size++] = '/';
        }
        if (last) break;
        begin = slash + 1;
    }
    return std::string_view{out, size};
}

std::expected<std::string, http::Status> decoded_path(std::string_view target) {
    std::string room(target.size(), '\0');
    const auto path = target_path(target, room);
    if (!path) return std::unexpected{path.error()};
    room.resize(path->size());  // the path is at the start of `room`
    return room;
}

std::string path_for_fields(std::string_view target) {
    if (!target.starts_with('/')) return "/";  // OPTIONS *, CONNECT host:port
    auto path = decoded_path(target);
    return path ? std::move(*path) : std::string{target};
}

bool is_hidden(std::string_view path) noexcept {
    constexpr std::string_view well_known = "/.well-known";
    if (path == well_known || path.starts_with("/.well-known/"))
        path.remove_prefix(well_known.size());
    return path.find("/.") != path.npos;
}

void append_encoded(std::string& out, std::string_view path) {
    // The characters of RFC 3986 3.3, without "&" and "'", which HTML would need escaped.
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$()*+,;=:@/";
    append_percent_encoded(out, path, plain);
}

}  // namespace weir::site

#include "proxy/route_path.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "site/path/readings.h"
#include "site/path/target_path.h"

namespace weir::proxy {
namespace {

/// The size of the first of the texts that the path begins with.
template <std::size_t count>
std::size_t size_of_one(std::string_view path,
                        const std::array<std::string_view, count>& texts) noexcept {
    const auto found = std::ranges::find_if(
        texts, [path](std::string_view text) { return path.starts_with(text); });
    return found == texts.end() ? 0 : found->size();
}

/// A slash, or what many servers read as one.
std::size_t separator_size(std::string_view path) noexcept {
    return size_of_one<6>(path, {"/", "\\", "%2f", "%2F", "%5c", "%5C"});
}

std::size_t dot_size(std::string_view path) noexcept {
    return size_of_one<3>(path, {".", "%2e", "%2E"});
}

/// The end of a segment, or its parameters (RFC 3986 3.3), which some servers remove first.
bool ends_name(std::string_view path) noexcept {
    return path.empty() || separator_size(path) != 0 ||
           size_of_one<3>(path, {";", "%3b", "%3B"}) != 0;
}

/// True if the path is the same when it is decoded.
bool is_plain(std::string_view path) noexcept {
    return !path.contains('%') && !path.contains("//") && !path.contains("/.");
}

bool has_backslash(std::string_view path) noexcept {
    return path.contains('\\') || path.contains("%5c") || path.contains("%5C");
}

}  // namespace

RoutePath::RoutePath(std::string_view path) : path_{path}, is_ambiguous_{has_backslash(path)} {
    if (is_plain(path)) return;
    auto decoded = site::decoded_path(site::with_slashes_encoded_twice(path));
    is_ambiguous_ = is_ambiguous_ || !decoded || has_dot_segments(path);
    if (decoded) decoded_ = std::move(*decoded);
}

bool RoutePath::is_below(std::string_view route) const noexcept {
    const std::string_view path = decoded_.empty() ? path_ : std::string_view{decoded_};
    if (route == "/") return path.starts_with('/');
    if (!path.starts_with(route)) return false;
    return path.size() == route.size() || path[route.size()] == '/';
}

bool has_dot_segments(std::string_view path) noexcept {
    while (!path.empty()) {
        std::string_view segment = path.substr(separator_size(path));
        const bool is_begin = segment.size() < path.size();
        path = is_begin ? segment : path.substr(1);
        std::size_t dots = 0;
        for (; is_begin && dot_size(segment) != 0; ++dots) segment.remove_prefix(dot_size(segment));
        if ((dots == 1 || dots == 2) && ends_name(segment)) return true;
    }
    return false;
}

std::size_t segments_of(std::string_view route) noexcept {
    return route == "/" ? 0 : static_cast<std::size_t>(std::ranges::count(route, '/'));
}

void take_segments(std::string_view& path, std::size_t count, std::string& taken) {
    for (; count > 0; --count) {
        path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
        const std::string_view segment = path.substr(0, path.find('/'));
        taken.append("/").append(segment);
        path.remove_prefix(segment.size());
    }
    while (path.starts_with("//")) path.remove_prefix(1);
}

}  // namespace weir::proxy

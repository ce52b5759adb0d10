#include "site/path/readings.h"

#include <algorithm>
#include <array>

namespace weir::site {
namespace {

constexpr std::array<std::string_view, 2> encoded_slashes{"%2f", "%2F"};
constexpr std::array<std::string_view, 3> semicolons{";", "%3b", "%3B"};

template <std::size_t count>
bool has_one_of(std::string_view path, const std::array<std::string_view, count>& texts) noexcept {
    return std::ranges::any_of(texts, [path](std::string_view one) { return path.contains(one); });
}

std::string with_slashes_as(std::string_view path, std::string_view replacement) {
    std::string out{path};
    for (const std::string_view slash : encoded_slashes)
        for (auto at = out.find(slash); at != out.npos; at = out.find(slash, at + 1))
            out.replace(at, slash.size(), replacement);
    return out;
}

std::string without_parameters(std::string_view path) {
    std::string out{path};
    for (const std::string_view semicolon : semicolons)
        for (auto at = out.find(semicolon); at != out.npos; at = out.find(semicolon, at))
            out.erase(at, std::min(out.find('/', at), out.size()) - at);
    return out;
}

}  // namespace

std::string with_slashes_encoded_twice(std::string_view path) {
    return with_slashes_as(path, "%252f");
}

std::vector<std::string> readings_of(std::string_view path) {
    std::vector<std::string> readings;
    if (has_one_of(path, encoded_slashes))
        readings = {with_slashes_encoded_twice(path), with_slashes_as(path, "/")};
    else
        readings.emplace_back(path);
    if (!has_one_of(path, semicolons)) return readings;
    for (std::size_t i = 0, end = readings.size(); i < end; ++i)
        readings.push_back(without_parameters(readings[i]));
    return readings;
}

}  // namespace weir::site

#include "site/media_types.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::site {

namespace {

struct MediaType {
    std::string_view extension;  // lower case
    std::string_view name;
};

constexpr MediaType media_types[] = {
#include "site/media_types.inc"
};

static_assert(std::ranges::is_sorted(media_types, {}, &MediaType::extension));

constexpr std::size_t extension_size_max =
    std::ranges::max(media_types, {}, [](const MediaType& type) {
        return type.extension.size();
    }).extension.size();

}  // namespace

std::string_view media_type_of(std::string_view file_name) noexcept {
    constexpr std::string_view unknown = "application/octet-stream";
    file_name.remove_prefix(file_name.rfind('/') + 1);
    const std::size_t dot = file_name.rfind('.');
    if (dot == file_name.npos || dot == 0) return unknown;
    const std::string_view extension = file_name.substr(dot + 1);
    if (extension.size() > extension_size_max) return unknown;

    std::array<char, extension_size_max> buffer{};
    std::ranges::transform(extension, buffer.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    const std::string_view lower{buffer.data(), extension.size()};
    const auto* const found =
        std::ranges::lower_bound(media_types, lower, {}, &MediaType::extension);
    return found != std::end(media_types) && found->extension == lower ? found->name : unknown;
}

std::string content_type_of(std::string_view media_type) {
    std::string value{media_type};
    if (media_type.starts_with("text/")) value += "; charset=utf-8";
    return value;
}

}  // namespace weir::site

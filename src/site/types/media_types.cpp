#include "site/types/media_types.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "base/trimmed.h"
#include "http/syntax/name_list.h"
#include "http/syntax/token.h"
#include "site/path/glob.h"

namespace weir::site {

using http::is_token;

namespace {

struct MediaType {
    std::string_view extension;  // lower case
    std::string_view name;
};

constexpr MediaType known_types[] = {
#include "site/types/media_types.inc"
};

static_assert(std::ranges::is_sorted(known_types, {}, &MediaType::extension));

constexpr std::size_t extension_size_max =
    std::ranges::max(known_types, {}, [](const MediaType& type) {
        return type.extension.size();
    }).extension.size();

/// Kinds of files that are not in the table, because browsers show them only as text/plain. Other
/// endings of text are endings of names, too: ".me", ".org".
bool is_known_text(std::string_view extension) noexcept {
    constexpr std::array<std::string_view, 7> kinds = {"csv", "markdown", "md", "toml",
                                                       "tsv", "yaml",     "yml"};
    return http::is_one_of(extension, kinds);
}

}  // namespace

std::string_view media_type_of(std::string_view file_name) noexcept {
    file_name.remove_prefix(file_name.rfind('/') + 1);
    const std::size_t dot = file_name.rfind('.');
    if (dot == file_name.npos || dot == 0) return {};
    const std::string_view extension = file_name.substr(dot + 1);
    if (extension.size() > extension_size_max) return {};

    std::array<char, extension_size_max> buffer{};
    std::ranges::transform(extension, buffer.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    const std::string_view lower{buffer.data(), extension.size()};
    const auto* const found =
        std::ranges::lower_bound(known_types, lower, {}, &MediaType::extension);
    return found != std::end(known_types) && found->extension == lower ? found->name
                                                                       : std::string_view{};
}

bool is_media_type(std::string_view text) noexcept {
    const std::string_view name = without_parameters(text);
    const std::size_t slash = name.find('/');
    if (slash == name.npos) return false;
    return is_token(name.substr(0, slash)) && is_token(name.substr(slash + 1)) &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string_view without_parameters(std::string_view media_type) noexcept {
    return trimmed(media_type.substr(0, media_type.find(';')));
}

std::expected<MediaTypes, std::string> MediaTypes::from(std::vector<MediaTypeRule> rules) {
    for (const MediaTypeRule& rule : rules) {
        if (!is_pattern(rule.glob)) return std::unexpected{not_a_pattern(rule.glob)};
        if (!is_media_type(rule.media_type))
            return std::unexpected{"'" + rule.media_type + "' is not a media type"};
    }
    MediaTypes result;
    result.rules_ = std::move(rules);
    return result;
}

bool MediaTypes::has_kind(std::string_view file_name) const {
    if (!media_type_of(file_name).empty()) return true;
    const std::size_t dot = file_name.rfind('.');
    if (dot == file_name.npos) return false;
    const std::string_view ending = file_name.substr(dot);
    return is_known_text(ending.substr(1)) ||
           std::ranges::any_of(
               rules_, [&](const MediaTypeRule& rule) { return rule.glob.ends_with(ending); });
}

std::string_view MediaTypes::of(std::string_view path) const {
    for (const MediaTypeRule& rule : std::views::reverse(rules_))
        if (path_matches(rule.glob, path)) return rule.media_type;
    return media_type_of(path);
}

}  // namespace weir::site

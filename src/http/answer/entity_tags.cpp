#include "http/answer/entity_tags.h"

namespace weir::http {

namespace {

constexpr std::string_view weak_prefix = "W/";

bool is_weak(std::string_view tag) noexcept { return tag.starts_with(weak_prefix); }

std::string_view without_weakness(std::string_view tag) noexcept {
    return is_weak(tag) ? tag.substr(weak_prefix.size()) : tag;
}

}  // namespace

bool tags_match(std::string_view tag, std::string_view own, Comparison comparison) noexcept {
    if (comparison == Comparison::strong) return tag == own && !is_weak(own);
    return without_weakness(tag) == without_weakness(own);
}

bool line_matches(std::string_view line, std::string_view own, Comparison comparison) noexcept {
    if (trimmed(line) == "*") return true;
    return any_tag(line, [&](std::string_view tag) { return tags_match(tag, own, comparison); });
}

}  // namespace weir::http

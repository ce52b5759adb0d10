#include "http/answer/entity_tags.h"

namespace weir::http {

bool tags_match(std::string_view tag, std::string_view own, Comparison comparison) noexcept {
    if (comparison == Comparison::weak && tag.starts_with("W/")) tag.remove_prefix(2);
    return tag == own;
}

bool line_matches(std::string_view line, std::string_view own, Comparison comparison) noexcept {
    if (trimmed(line) == "*") return true;
    return any_tag(line, [&](std::string_view tag) { return tags_match(tag, own, comparison); });
}

}  // namespace weir::http

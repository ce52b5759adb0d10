#include "http/answer/entity_tags.h"

#include <cstddef>

#include "base/trimmed.h"

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
    // for_each_member() does not fit: inside an entity tag, a backslash escapes nothing (RFC 9110
    // 8.8.3).
    while (!(line = trimmed(line)).empty()) {
        const std::size_t quote = is_weak(line) ? weak_prefix.size() : 0;
        std::size_t end = line.find(',');
        if (quote < line.size() && line[quote] == '"')
            if (const auto close = line.find('"', quote + 1); close != line.npos)
                end = line.find(',', close);
        if (tags_match(trimmed(line.substr(0, end)), own, comparison)) return true;
        if (end == line.npos) return false;
        line.remove_prefix(end + 1);
    }
    return false;
}

}  // namespace weir::http

#include "compress/answer/media_type_list.h"

#include <algorithm>
#include <utility>

#include "base/trimmed.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"

namespace weir::compress {

using http::equals_ignoring_case;

namespace {

bool is_pattern(std::string_view text) {
    if (text.starts_with('+')) return http::is_token(text.substr(1));
    const auto slash = text.find('/');
    return slash != text.npos && http::is_token(text.substr(0, slash)) &&
           http::is_token(text.substr(slash + 1));
}

bool ends_with(std::string_view text, std::string_view end) noexcept {
    return text.size() > end.size() &&
           equals_ignoring_case(text.substr(text.size() - end.size()), end);
}

bool matches(std::string_view pattern, std::string_view type) noexcept {
    if (pattern.starts_with('+')) return ends_with(type, pattern);
    if (!pattern.ends_with("/*")) return equals_ignoring_case(pattern, type);
    pattern.remove_suffix(1);
    return equals_ignoring_case(pattern, type.substr(0, pattern.size()));
}

}  // namespace

std::expected<MediaTypeList, std::string> MediaTypeList::from(std::vector<std::string> patterns) {
    for (const std::string& pattern : patterns)
        if (!is_pattern(pattern))
            return std::unexpected{"'" + pattern +
                                   "' is not a media type such as text/html, text/* or +json"};
    MediaTypeList list;
    list.patterns_ = std::move(patterns);
    return list;
}

bool MediaTypeList::has(std::string_view content_type) const noexcept {
    const std::string_view type = trimmed(content_type.substr(0, content_type.find(';')));
    return std::ranges::any_of(patterns_,
                               [&](const std::string& pattern) { return matches(pattern, type); });
}

}  // namespace weir::compress

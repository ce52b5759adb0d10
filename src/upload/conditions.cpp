#include "upload/conditions.h"

#include <algorithm>
#include <string_view>

#include "base/trimmed.h"
#include "http/answer/date.h"
#include "http/answer/entity_tags.h"
#include "net/clock.h"
#include "weir/http/field_name.h"

namespace weir::upload {
namespace {

using http::Comparison;
using http::FieldName;

bool is_any(std::string_view line) noexcept { return trimmed(line) == "*"; }

bool one_matches(const std::vector<std::string>& lines, const std::string& tag,
                 Comparison comparison) {
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return http::line_matches(line, tag, comparison); });
}

}  // namespace

Conditions Conditions::of(const http::Request& request) {
    Conditions conditions;
    request.each(FieldName::if_match,
                 [&](std::string_view line) { conditions.match_.emplace_back(line); });
    request.each(FieldName::if_none_match,
                 [&](std::string_view line) { conditions.none_match_.emplace_back(line); });
    const auto since = request.field(FieldName::if_unmodified_since);
    if (since && !request.is_repeated(FieldName::if_unmodified_since))
        conditions.unmodified_since_ = http::parse_date(*since, net::read_clock().unix_seconds);
    return conditions;
}

/// In the order of RFC 9110 13.2.2. A date counts only without If-Match.
bool Conditions::hold_for(const File* file) const {
    if (!match_.empty() && !has_match(file)) return false;
    if (match_.empty() && unmodified_since_ && file != nullptr &&
        file->modified > *unmodified_since_)
        return false;
    return none_match_.empty() || !has_none_match(file);
}

bool Conditions::has_match(const File* file) const {
    if (file == nullptr) return false;
    return std::ranges::any_of(match_, is_any) ||
           one_matches(match_, file->entity_tag(), Comparison::strong);
}

bool Conditions::has_none_match(const File* file) const {
    if (file == nullptr) return false;
    return std::ranges::any_of(none_match_, is_any) ||
           one_matches(none_match_, file->entity_tag(), Comparison::weak);
}

}  // namespace weir::upload

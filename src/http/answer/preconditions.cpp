#include "http/answer/preconditions.h"

#include "http/answer/date.h"
#include "http/answer/entity_tags.h"

namespace weir::http {

namespace {

/// Returns nothing if the field is missing, is not a date or comes twice: the caller ignores it
/// then.
std::optional<std::int64_t> date_in(const Request& request, FieldName name,
                                    std::int64_t now) noexcept {
    std::optional<std::int64_t> date;
    int lines = 0;
    request.each(name, [&](std::string_view value) {
        date = parse_date(value, now);
        ++lines;
    });
    return lines == 1 ? date : std::nullopt;
}

bool any_line_matches(const Request& request, FieldName name, const Validators& validators,
                      Comparison comparison) noexcept {
    bool matches = false;
    request.each(name, [&](std::string_view value) {
        matches = matches || line_matches(value, validators.entity_tag, comparison);
    });
    return matches;
}

}  // namespace

Verdict evaluate_preconditions(const Request& request, const Validators& validators,
                               std::int64_t now) noexcept {
    const auto& modified = validators.last_modified;
    if (request.has(FieldName::if_match)) {
        if (!any_line_matches(request, FieldName::if_match, validators, Comparison::strong))
            return Verdict::precondition_failed;
    } else if (const auto date = date_in(request, FieldName::if_unmodified_since, now)) {
        if (modified && *modified > *date) return Verdict::precondition_failed;
    }

    if (request.has(FieldName::if_none_match)) {
        if (any_line_matches(request, FieldName::if_none_match, validators, Comparison::weak))
            return Verdict::not_modified;
    } else if (const auto date = date_in(request, FieldName::if_modified_since, now)) {
        if (modified && *modified <= *date) return Verdict::not_modified;
    }
    return Verdict::proceed;
}

bool range_is_current(const Request& request, const Validators& validators,
                      std::int64_t now) noexcept {
    const auto condition = request.field(FieldName::if_range);
    if (!condition) return true;
    if (condition->starts_with('"') || condition->starts_with("W/"))
        return tags_match(*condition, validators.entity_tag, Comparison::strong);
    // A date is a strong validator only after its second has passed (RFC 9110 8.8.2.2). Until then
    // the file may change and keep its date.
    const auto date = date_in(request, FieldName::if_range, now);
    return date && validators.last_modified == date && *date < now;
}

}  // namespace weir::http

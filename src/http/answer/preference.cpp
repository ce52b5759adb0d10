#include "http/answer/preference.h"

#include "base/trimmed.h"
#include "http/syntax/field_list.h"
#include "weir/http/field_name.h"

namespace weir::http {
namespace {

/// Parses a qvalue, "0" to "1" with up to three decimals. Returns -1 if it is malformed.
int thousandths_from(std::string_view text) noexcept {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return -1;
    if (text.size() > 1 && text[1] != '.') return -1;
    int value = (text[0] - '0') * 1000;
    int unit = 100;
    for (const char c : text.substr(text.size() > 1 ? 2 : 1)) {
        if (c < '0' || c > '9') return -1;
        value += (c - '0') * unit;
        unit /= 10;
    }
    return value <= 1000 ? value : -1;
}

/// Returns how specific the member `range` of Accept is: 3 for `media_type` itself, 1 for "*/*"; -1
/// if the member does not match.
int specificity_of(std::string_view range, std::string_view media_type) noexcept {
    if (equals_ignoring_case(range, media_type)) return 3;
    const auto type = media_type.substr(0, media_type.find('/') + 1);
    if (range.ends_with("/*") && equals_ignoring_case(range.substr(0, range.size() - 1), type))
        return 2;
    return range == "*/*" ? 1 : -1;
}

}  // namespace

Preference preference_from(std::string_view member) noexcept {
    Preference preference;
    std::size_t semicolon = member.find(';');
    preference.name = trimmed(member.substr(0, semicolon));
    while (semicolon != member.npos) {
        member.remove_prefix(semicolon + 1);
        semicolon = member.find(';');
        const auto parameter = trimmed(member.substr(0, semicolon));
        if (parameter.starts_with("q=") || parameter.starts_with("Q="))
            preference.thousandths = thousandths_from(parameter.substr(2));
    }
    return preference;
}

int media_type_weight(const Request& request, std::string_view media_type) {
    int specificity = 0;
    int thousandths = 0;
    request.each(FieldName::accept, [&](std::string_view value) {
        for_each_member(value, [&](std::string_view member) {
            const Preference preference = preference_from(member);
            const int its = specificity_of(preference.name, media_type);
            if (preference.thousandths < 0 || its < specificity) return;
            specificity = its;
            thousandths = preference.thousandths;
        });
    });
    return thousandths;
}

}  // namespace weir::http

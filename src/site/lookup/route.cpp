#include "site/lookup/route.h"

#include <algorithm>

#include "http/answer/preference.h"
#include "http/syntax/field_list.h"
#include "weir/http/field_name.h"

namespace weir::site {

using http::equals_ignoring_case;

Address address_of(std::string_view path, const MediaTypes& types) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (dot == name.npos) return Address::route;
    const std::string_view extension = name.substr(dot + 1);
    // "/users/jane@example.com" is far more frequent than a program of DOS.
    if (equals_ignoring_case(extension, "com")) return Address::either;
    return types.has_kind(name) ? Address::asset : Address::either;
}

bool is_navigation(const http::Request& request) {
    int html = 0;
    int other = 0;
    request.each(http::FieldName::accept, [&](std::string_view value) {
        http::for_each_member(value, [&](std::string_view member) {
            const http::Preference preference = http::preference_from(member);
            const bool is_html = equals_ignoring_case(preference.name, "text/html") ||
                                 equals_ignoring_case(preference.name, "application/xhtml+xml");
            int& weight = is_html ? html : other;
            weight = std::max(weight, preference.thousandths);
        });
    });
    return html > 0 && html >= other;
}

}  // namespace weir::site

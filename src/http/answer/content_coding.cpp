#include "http/answer/content_coding.h"

#include "http/answer/preference.h"
#include "http/syntax/field_list.h"
#include "weir/http/field_name.h"

namespace weir::http {

CodingWeights::CodingWeights(const Request& request) noexcept {
    request.each(FieldName::accept_encoding, [this](std::string_view value) {
        for_each_member(value, [this](std::string_view member) { take(member); });
    });
}

void CodingWeights::take(std::string_view member) noexcept {
    const auto [name, thousandths] = preference_from(member);
    if (thousandths < 0) return;
    if (name == "*") others_ = thousandths;
    if (equals_ignoring_case(name, "identity")) set(Coding::identity, thousandths);
    // x-gzip means gzip (RFC 9110 8.4.1.3).
    if (equals_ignoring_case(name, "x-gzip")) set(Coding::gzip, thousandths);
    for (const auto& names : content_codings)
        if (equals_ignoring_case(name, names.token)) set(names.coding, thousandths);
}

}  // namespace weir::http

#include "weir/http/field_name.h"

#include "http/syntax/field_names.h"

namespace weir::http {

FieldName field_name_from(std::string_view text) noexcept {
    if (text.empty()) return FieldName::other;
    const FieldName name = field_names::recognised(text);
    // `text` may not be a token, so recognised() alone doesn't decide.
    return equals_ignoring_case(text, to_text(name)) ? name : FieldName::other;
}

std::string_view to_text(FieldName name) noexcept {
    return field_names::names[static_cast<std::size_t>(name)];
}

namespace {
constexpr unsigned char lower(char byte) noexcept {
    const auto value = static_cast<unsigned char>(byte);
    return value - unsigned{'A'} < 26 ? static_cast<unsigned char>(value | 0x20) : value;
}

}  // namespace

bool equals_ignoring_case(std::string_view left, std::string_view right) noexcept {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (lower(left[i]) != lower(right[i])) return false;
    return true;
}

}  // namespace weir::http

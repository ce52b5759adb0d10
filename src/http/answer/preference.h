#pragma once

#include <string_view>

namespace weir::http {

/// One member of Accept or Accept-Encoding: its name and its weight.
struct Preference {
    std::string_view name;  // without its parameters
    /// The weight; 0: not acceptable; -1: the weight is malformed, so ignore the member.
    int thousandths = 1000;
};

/// RFC 9110 12.4.2
Preference preference_from(std::string_view member) noexcept;

}  // namespace weir::http

#pragma once

#include <string_view>

namespace weir::site {

/// What a member of Accept or Accept-Encoding names, and how much it is wanted.
struct Preference {
    std::string_view name;  // without its parameters
    int thousandths =
        1000;  // 0: not acceptable; -1: the weight is malformed, the member says nothing
};

/// RFC 9110 12.4.2
Preference preference_from(std::string_view member) noexcept;

}  // namespace weir::site

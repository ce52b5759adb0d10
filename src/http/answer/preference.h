#pragma once

#include <string_view>

#include "weir/http/request.h"

namespace weir::http {

/// One member of Accept or Accept-Encoding: its name and its weight.
struct Preference {
    std::string_view name;  // without its parameters
    /// The weight; 0: not acceptable; -1: the weight is malformed, so ignore the member.
    int thousandths = 1000;
};

/// Parses a member of Accept or Accept-Encoding (RFC 9110 12.4.2).
Preference preference_from(std::string_view member) noexcept;

/// Returns the weight of `media_type` in Accept (RFC 9110 12.5.1), in thousandths: that of the most
/// specific member that matches. 0: the client does not accept it, or there is no Accept.
int media_type_weight(const Request& request, std::string_view media_type);

}  // namespace weir::http

#pragma once

#include <string>
#include <string_view>

namespace weir::live {

/// The value of a Content-Security-Policy (CSP Level 3, 2.2) that lets a page run a script of its own
/// origin, and connect to its own origin: with 'self' where one of both was forbidden.
std::string policy_for_script(std::string_view policies);

}  // namespace weir::live

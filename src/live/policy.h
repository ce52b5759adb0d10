#pragma once

#include <string>
#include <string_view>

namespace weir::live {

/// The value of a Content-Security-Policy (CSP Level 3, 2.2) that lets a page run a script of its own
/// origin that has this nonce, and connect to its own origin. Where one of both was forbidden, 'self' is
/// added. The nonce is, where 'strict-dynamic' makes 'self' mean nothing.
std::string policy_for_script(std::string_view policies, std::string_view nonce);

}  // namespace weir::live

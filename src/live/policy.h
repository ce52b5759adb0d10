#pragma once

#include <string>
#include <string_view>

namespace weir::live {

/// Changes a Content-Security-Policy (CSP Level 3, 2.2) so that a page may run a script of its own
/// origin with this nonce, and connect to its own origin. If the policy forbids one of these,
/// 'self' is added; if 'strict-dynamic' makes 'self' mean nothing, the nonce.
std::string policy_for_script(std::string_view policies, std::string_view nonce);

}  // namespace weir::live

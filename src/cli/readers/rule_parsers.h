#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/options/quantities.h"
#include "cli/readers/rule_options.h"

namespace weir::cli {

/// "/private/**: /etc/weir/users", or a file alone: for all paths.
Parsed<AuthOption> parse_auth(std::string_view text);
/// Text for a quoted string, without quotes, backslashes and control characters.
Parsed<std::string> parse_realm(std::string_view text);
Parsed<std::uint64_t> parse_tries(std::string_view text);
/// "/admin/**: 192.0.2.0/24", or a network alone: for all paths.
Parsed<rules::AccessRule> parse_allow(std::string_view text);
Parsed<rules::AccessRule> parse_deny(std::string_view text);

}  // namespace weir::cli

#pragma once

#include <string_view>

#include "cli/option/quantities.h"
#include "weir/access/rates.h"

namespace weir::cli {

/// Parses "10/s", "600/m burst 50" or "1000/h": the number of requests in a second, a minute or an
/// hour, and the number of requests at once. The default for the latter is the number in a second,
/// but at least one. RateRule::glob stays empty.
Parsed<access::RateRule> parse_rate(std::string_view text);

}  // namespace weir::cli

#pragma once

#include <string_view>

#include "cli/option/quantities.h"
#include "weir/access/rates.h"

namespace weir::cli {

/// "10/s", "600/m burst 50", "1000/h": so many requests in a second, a minute or an hour, and so many at
/// once; without that, as many as in a second, at least one. RateRule::glob is empty.
Parsed<access::RateRule> parse_rate(std::string_view text);

}  // namespace weir::cli

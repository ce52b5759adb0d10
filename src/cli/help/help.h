#pragma once

#include <string>

#include "cli/help/page.h"

namespace weir::cli {

/// The text for --help, at most 100 columns wide.
std::string help(const Page& page);

/// "-p, --port PORT"
std::string synopsis(const Option& option);

}  // namespace weir::cli

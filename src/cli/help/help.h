#pragma once

#include <cstdint>
#include <string>

#include "cli/help/page.h"

namespace weir::cli {

enum class Extent : std::uint8_t {
    first,  // Page::first_options
    all,
};
/// The text for --help, or for --help-all, at most 100 columns wide.
std::string help(const Page& page, Extent extent = Extent::first);

/// "-p, --port PORT"
std::string synopsis(const Option& option);

}  // namespace weir::cli

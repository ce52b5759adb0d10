#pragma once

#include <string_view>

namespace weir::cli {

/// The version of weir: "1.2.0". It stands once in the program, so that only one file is compiled
/// again for another version, and so that tests can make a program of another version.
extern const std::string_view version_number;

}  // namespace weir::cli

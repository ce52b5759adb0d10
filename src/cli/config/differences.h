#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option.h"

namespace weir::cli::config {

/// What differs between two files of settings in normal form (see normal_form() in
/// serve_options.h), in words: "port 8000 -> 8080", "header changed", "site example.org added".
/// `options` say the defaults of what is not in a file.
std::vector<std::string> differences(std::string_view before, std::string_view after,
                                     std::span<const Option> options);

}  // namespace weir::cli::config

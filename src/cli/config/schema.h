#pragma once

#include <span>
#include <string>

#include "cli/option/option.h"

namespace weir::cli::config {

/// A JSON schema (draft 2020-12) of configuration files, for editors, which offer keys and values,
/// explain them, and mark faults. The reader refuses everything that the schema refuses, and more.
std::string schema(std::span<const Option> options);

}  // namespace weir::cli::config

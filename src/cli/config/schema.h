#pragma once

#include <span>
#include <string>

#include "cli/option/option.h"

namespace weir::cli::config {

/// A JSON schema (draft 2020-12) of configuration files, for editors: it offers keys and values,
/// explains them, and marks what is wrong. The reader refuses whatever the schema refuses, and more.
std::string schema(std::span<const Option> options);

}  // namespace weir::cli::config

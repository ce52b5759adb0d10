#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/config/document.h"

namespace weir::cli {

/// Where an option was given. An earlier source overrides a later one.
enum class Source : std::uint8_t { none, arguments, variable, site, file };

/// What the options of a command are read from.
struct Sources {
    std::vector<std::string> arguments;
    bool has_variables = true;  // those of the environment
    /// A configuration file; null: none but the one that the options name.
    const config::Document* document = nullptr;
    /// Reads that one. The document must outlive the reading. Empty: it is not read.
    std::function<const config::Document*(const std::string& path)> open{};
    /// The site of that file whose options are read; null: those of the file.
    const config::SiteTable* site = nullptr;
};

}  // namespace weir::cli

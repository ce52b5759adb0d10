#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/config/document.h"

namespace weir::cli {

/// The source of an option. An earlier source overrides a later one.
enum class Source : std::uint8_t { none, arguments, variable, site, file };

/// The sources of a command's options.
struct Sources {
    std::vector<std::string> arguments;
    bool has_variables = true;  // environment variables are read
    /// A configuration file; null: only the file that the options name.
    const config::Document* document = nullptr;
    /// Reads the file that the options name. The document must outlive the reading. Empty: that
    /// file is not read.
    std::function<const config::Document*(const std::string& path)> open{};
    /// The site of the file whose options are read; null: the options above the sites.
    const config::SiteTable* site = nullptr;
};

}  // namespace weir::cli

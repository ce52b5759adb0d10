#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/config/document.h"
#include "cli/option/option.h"

namespace weir::cli::config {

/// The texts of an entry, as on the command line.
struct Texts {
    std::vector<std::string> texts;
    std::vector<std::string> names;  // "weir.toml:3:8: port", for each text
};

/// Returns the texts of an entry. Wrong values are left out; their faults are added to `problems`,
/// with their places.
Texts texts_of(const Option& option, const Document& document, const Entry& entry,
               std::vector<std::string>& problems);

/// Adds a problem for each key of a table that is not the name of an option.
void check_keys(const Document& document, const Table& table, bool is_site,
                std::span<const Option> options, std::vector<std::string>& problems);

}  // namespace weir::cli::config

#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/config/document.h"
#include "cli/option/option.h"

namespace weir::cli::config {

/// What an entry says, as the command line would say it.
struct Texts {
    std::vector<std::string> texts;
    std::vector<std::string> names;  // "weir.toml:3:8: port", for each text
};

/// Adds what is wrong to `problems`, with its place, and leaves it out.
Texts texts_of(const Option& option, const Document& document, const Entry& entry,
               std::vector<std::string>& problems);

/// Adds a problem for each key of a table that is not the name of an option.
void check_keys(const Document& document, const Table& table, bool is_site,
                std::span<const Option> options, std::vector<std::string>& problems);

}  // namespace weir::cli::config

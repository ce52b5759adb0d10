#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/site_head.h"
#include "cli/option/option.h"

namespace weir::cli::config {

/// An option, and the texts that it was given.
struct Said {
    Option option;
    std::vector<std::string> texts;
};

/// A site, and the options that only this site was given.
struct SiteSaid {
    SiteHead head;
    std::vector<Said> said;
};

/// Returns a configuration file with the same options. `all` are the options to explain in
/// comments, with their defaults; empty: none. The error is a sentence: a text may not be UTF-8.
std::expected<std::string, std::string> printed(std::span<const Said> said,
                                                std::span<const SiteSaid> sites,
                                                std::span<const Option> all);

/// Returns one value of an option as TOML and JSON write it: true, 8000, "10s".
std::string as_toml(const Option& option, std::string_view text);

/// A text in quotes, as TOML and JSON write it. The text must be UTF-8.
std::string in_quotes(std::string_view text);

}  // namespace weir::cli::config

#pragma once

#include <expected>
#include <string>

#include "cli/options/launch_options.h"

namespace weir::cli {

/// Makes the files of certificates that a CA gives by itself, for the user that the server becomes.
/// Returns the settings, with what is in files. The error is a sentence.
std::expected<acme::Settings, std::string> prepare_acme(const LaunchOptions& options);

/// Lines for the banner.
std::string in_words(const acme::Settings& settings);

}  // namespace weir::cli

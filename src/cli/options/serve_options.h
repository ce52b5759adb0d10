#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/options/launch_options.h"
#include "cli/options/no_options.h"
#include "weir/site/site.h"

namespace weir::cli {

struct ServeOptions : LaunchOptions {
    site::Options site;
    bool no_listing = false;
    bool open = false;  // a browser
    bool qr = false;    // a code for the address that others reach
};

/// Reads the arguments of `weir serve`; for what they don't say, the environment, where --some-name
/// is WEIR_SOME_NAME. Looks whether the path is a folder or a file; whether either, or an
/// address, can be used shows later.
std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments);

}  // namespace weir::cli

#pragma once

#include <expected>
#include <string>
#include <vector>

#include "weir/server/options.h"
#include "weir/site/site.h"

namespace weir::cli {

struct ServeOptions {
    site::Options site;
    server::Options server;
    bool quiet = false;
    bool verbose = false;
};

/// Why there are no options: help was asked for (exit code 0), or they are wrong (2).
struct NoOptions {
    int exit_code;
    std::string text;
};

/// Reads the arguments of `weir serve`; for what they don't say, the environment, where --some-name
/// is WEIR_SOME_NAME. Whether a file or an address can be used shows later.
std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments);

}  // namespace weir::cli

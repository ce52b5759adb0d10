#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/no_options.h"
#include "cli/readers/compress_reader.h"
#include "cli/readers/rules_reader.h"
#include "weir/site/site.h"

namespace weir::cli {

struct ServeOptions : LaunchOptions {
    site::Options site;
    CompressOptions compress;
    AccessOptions access;
    RuleOptions rules;
    bool no_listing = false;
    bool open = false;  // open a browser
    bool qr = false;    // show a QR code for the address that other machines reach
};

/// Reads the arguments of `weir serve`, then the environment variables of the options that the
/// arguments do not set (WEIR_SOME_NAME for --some-name). Checks whether the path is a folder or a
/// file, but not whether the server can open it or listen on its addresses.
std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments);

}  // namespace weir::cli

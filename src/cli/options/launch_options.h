#pragma once

#include "weir/server/options.h"

namespace weir::cli {

/// The options of every command that runs a server.
struct LaunchOptions {
    server::Options server;
    bool quiet = false;
    bool verbose = false;
};

}  // namespace weir::cli

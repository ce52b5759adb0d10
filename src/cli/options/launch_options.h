#pragma once

#include "weir/server/options.h"

namespace weir::cli {

/// What every command that runs a server can be told.
struct LaunchOptions {
    server::Options server;
    bool quiet = false;
    bool verbose = false;
};

}  // namespace weir::cli

#pragma once

#include <optional>

#include "weir/sandbox/user.h"
#include "weir/server/options.h"

namespace weir::cli {

/// The options of every command that runs a server.
struct LaunchOptions {
    server::Options server;
    std::optional<sandbox::User> user;  // to become
    bool no_sandbox = false;
    bool quiet = false;
    bool verbose = false;
};

}  // namespace weir::cli

#pragma once

#include <optional>

#include "weir/sandbox/user.h"
#include "weir/server/options.h"
#include "weir/tls/tls.h"

namespace weir::cli {

struct TlsOptions {
    bool on = false;
    /// If there are no certificates, weir makes one.
    tls::Settings settings;
};

/// The options of every command that runs a server.
struct LaunchOptions {
    server::Options server;
    TlsOptions tls;
    std::optional<sandbox::User> user;  // the user to become
    bool no_sandbox = false;
    bool quiet = false;
    bool verbose = false;
};

}  // namespace weir::cli

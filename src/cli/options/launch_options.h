#pragma once

#include <chrono>
#include <optional>

#include "net/address.h"
#include "weir/sandbox/user.h"
#include "weir/server/options.h"
#include "weir/tls/tls.h"

namespace weir::cli {

struct TlsOptions {
    bool on = false;
    /// Without certificates, weir makes one.
    tls::Settings settings;
};

struct OperateOptions {
    std::optional<net::Address> control;  // a unix socket
    bool supervise = false;
    std::chrono::milliseconds ready_timeout{30'000};
    std::chrono::milliseconds drain_delay{0};
};

/// The options of every command that runs a server.
struct LaunchOptions {
    server::Options server;
    TlsOptions tls;
    OperateOptions operate;
    bool has_addresses = false;         // server.addresses are the user's, and not the default
    std::optional<sandbox::User> user;  // to become
    bool no_sandbox = false;
    bool quiet = false;
    bool verbose = false;
};

}  // namespace weir::cli

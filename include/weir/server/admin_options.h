#pragma once

#include <string>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

/// Where an operator asks how the server does: metrics, probes, and its state (docs/operating.md).
struct AdminOptions {
    /// "127.0.0.1:9000", "9000" (a port of 127.0.0.1), "[::1]:9000" or "unix:/run/weir/admin.sock".
    /// Empty: nobody can ask, and nothing is counted.
    std::string address{};
    /// Allows an address that other machines can reach. Whoever reaches it, can ask.
    bool anywhere = false;
    /// The version of the program, which the answers name.
    std::string version{};
};

}  // namespace weir::server

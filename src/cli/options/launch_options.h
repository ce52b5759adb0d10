#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "acme/settings/settings.h"
#include "weir/sandbox/user.h"
#include "weir/server/options.h"
#include "weir/tls/tls.h"

namespace weir::cli {

/// The certificate that weir makes and keeps.
enum class OwnCertificate : std::uint8_t { self_signed, local };

struct TlsOptions {
    bool on = false;
    /// If there are no certificates, weir makes one.
    tls::Settings settings;
    OwnCertificate own = OwnCertificate::self_signed;
    /// For the certificates that a CA gives by itself; no hosts: there are none.
    acme::Settings acme;
    std::string acme_account;  // the file of acme::ExternalAccount; empty: none
};

/// The options of every command that runs a server.
struct LaunchOptions {
    server::Options server;
    TlsOptions tls;
    std::optional<sandbox::User> user;         // the user to become
    std::string admin;                         // the address of --admin; empty: none
    std::chrono::milliseconds drain_delay{0};  // from the signal to the stop
    bool no_sandbox = false;
    bool quiet = false;
    bool verbose = false;
};

}  // namespace weir::cli

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/sandbox/sandbox.h"

namespace weir::cli {

struct BannerFacts {
    std::string served;                      // a folder, or a description
    std::span<const std::string> addresses;  // from Server::addresses()
    /// With TLS: the addresses that redirect to `addresses`, and lines about the certificate for
    /// the user.
    bool has_tls = false;
    std::span<const std::string> redirect_addresses{};
    std::string certificate{};
    /// The address of --admin; empty: none.
    std::string admin{};
    std::string_view engine;
    std::string why_engine{};  // why "auto" chose the engine; empty if the user chose it
    unsigned workers = 0;      // 0: the engine has no such number
    std::vector<std::string> machine_addresses;  // from machine_addresses()
    bool has_no_index = false;                   // no index file at the root, and no listings
    bool watches_files = true;                   // changes of files are reported by the kernel
    int backlog_max = 0;                         // net.core.somaxconn
    std::uint32_t descriptors_max = 0;           // RLIMIT_NOFILE
    std::uint32_t connections_max = 0;           // the limit that the user set; 0: none
    /// The result of sandbox::enter(). Null: the banner does not mention the sandbox.
    const sandbox::Report* sandbox = nullptr;
    std::span<const std::string> follows{};  // see Launch::follows
};

/// The text of a server that has started: its addresses, the clients that can reach it, its engine,
/// and any limit of the system that is low.
std::string banner(const BannerFacts& facts);

}  // namespace weir::cli

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// The URLs by which a browser reaches a server.
struct Urls {
    std::vector<std::string> here;    // from this machine
    std::vector<std::string> others;  // from other machines
};

/// The URLs of a server that listens on `addresses` (from Server::addresses()). `machine_addresses`
/// are the addresses by which other machines reach this one; they replace 0.0.0.0 and [::], which a
/// browser cannot use. `scheme`: "http" or "https".
Urls urls_of(std::span<const std::string> addresses, std::span<const std::string> machine_addresses,
             std::string_view scheme = "http");

/// The addresses of this machine's interfaces, with the address of the default route first.
/// Loopback and link-local addresses are left out.
std::vector<std::string> machine_addresses();

}  // namespace weir::cli

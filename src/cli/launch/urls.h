#pragma once

#include <span>
#include <string>
#include <vector>

namespace weir::cli {

/// By which a browser gets to a server.
struct Urls {
    std::vector<std::string> here;    // on this machine
    std::vector<std::string> others;  // and from other machines
};

/// Of a server that listens on `addresses` (as Server::addresses()), on a machine that others know by
/// `machine_addresses`. 0.0.0.0 is no address to type into a browser: those that lead there are.
Urls urls_of(std::span<const std::string> addresses,
             std::span<const std::string> machine_addresses);

/// The addresses of this machine's interfaces, the one that its default route uses first. Addresses of
/// loopback and of a single link are left out.
std::vector<std::string> machine_addresses();

}  // namespace weir::cli

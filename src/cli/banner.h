#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

struct BannerFacts {
    std::string served;                      // a folder, or in words
    std::span<const std::string> addresses;  // as Server::addresses()
    std::string_view engine;
    std::string why_engine{};  // that was chosen, where the user left it to us; empty where not
    unsigned workers = 0;      // 0: the engine has no such number
    std::vector<std::string> machine_addresses;  // this machine's, as others see them
    int backlog_max = 0;                         // net.core.somaxconn
    std::uint32_t descriptors_max = 0;           // RLIMIT_NOFILE
    std::uint32_t connections_max = 0;           // as asked for; 0: not
};

/// What a server says when it has started: where it is, for whom, by what, and which limit of the
/// system is small.
std::string banner(const BannerFacts& facts);

/// The addresses of this machine's interfaces, those of loopback and of one link left out.
std::vector<std::string> machine_addresses();

}  // namespace weir::cli

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
    std::vector<std::string> machine_addresses;  // as machine_addresses()
    bool has_no_index = false;                   // at the root, and folders are not listed
    int backlog_max = 0;                         // net.core.somaxconn
    std::uint32_t descriptors_max = 0;           // RLIMIT_NOFILE
    std::uint32_t connections_max = 0;           // as asked for; 0: not
};

/// What a server says when it has started: where it is, who can reach it, which engine runs, and which
/// limit of the system is small.
std::string banner(const BannerFacts& facts);

}  // namespace weir::cli

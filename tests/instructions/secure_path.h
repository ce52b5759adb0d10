#pragma once

#include <string_view>

namespace weir::instructions {

/// Does the work `count` times, over TLS 1.3, with a client in memory. Only the instructions of
/// the server's side are in counted(). Returns the program's exit code; 77 in a build without TLS.
int run_secure(std::string_view work, long count);
constexpr bool is_secure(std::string_view work) {
    return work == "handshake" || work == "resumed" || work == "secure";
}

}  // namespace weir::instructions

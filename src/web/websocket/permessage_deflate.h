#pragma once

#include <cstdint>
#include <string>

#include "weir/http/request.h"

namespace weir::web::ws {

inline constexpr std::uint8_t window_bits_max = 15;

/// The terms of permessage-deflate (RFC 7692 7.1), as both sides agree on them: no side uses its
/// window for the next message.
struct DeflateTerms {
    std::uint8_t window_bits = 0;  // of this side, 8 to 15; 0: no compression
    std::string field{};           // the value of Sec-WebSocket-Extensions

    bool is_agreed() const noexcept { return window_bits != 0; }
};

/// Accepts the first offer of the request with terms of RFC 7692.
DeflateTerms deflate_terms(const http::Request& request);

}  // namespace weir::web::ws

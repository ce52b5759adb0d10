#pragma once

#include <cstdint>

#include "net/address.h"
#include "net/unique_fd.h"

namespace weir::net {

/// The result of one accept4(2).
struct Accepted {
    enum class Kind : std::uint8_t {
        connection,  // in `socket` and `peer`
        none,        // the queue is empty
        gone,        // the connection failed before it was accepted: try the next one
        exhausted,  // no descriptor or memory is left; the connection stays in the queue: try later
        failed,     // the listener itself is no longer usable
    };
    Kind kind;
    UniqueFd socket{};  // non-blocking, closed on exec
    PeerAddress peer{};
    int error = 0;
};

/// The meaning of an errno that accept(2) returned.
Accepted::Kind kind_of_accept_error(int error) noexcept;

/// Accepts the next connection from the listener's queue.
Accepted accept_connection(int listener) noexcept;

}  // namespace weir::net

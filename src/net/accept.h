#pragma once

#include <cstdint>

#include "net/address.h"
#include "net/unique_fd.h"

namespace weir::net {

/// What came of one accept4(2).
struct Accepted {
    enum class Kind : std::uint8_t {
        connection,  // `socket` and `peer` are there
        none,        // the queue is empty
        gone,        // that one had failed before it was accepted: try the next
        exhausted,  // no descriptor or no memory: it still waits in the queue; try when one is free
        failed,     // the listener itself is of no use any more
    };
    Kind kind;
    UniqueFd socket{};  // non-blocking, closed on exec
    PeerAddress peer{};
    int error = 0;
};

/// What an errno of accept(2) means.
Accepted::Kind kind_of_accept_error(int error) noexcept;

/// The next connection of a listener.
Accepted accept_connection(int listener) noexcept;

}  // namespace weir::net

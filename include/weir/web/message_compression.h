#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::web {

/// Compresses the messages of WebSockets, each on its own: permessage-deflate without context
/// takeover (RFC 7692). permessage_deflate() of the library weir-compress makes one. Any thread may
/// call each member.
class MessageCompression {
   public:
    enum class Expansion : std::uint8_t {
        whole,
        malformed,  // no compressed message
        too_large,  // longer than the limit
    };

    virtual ~MessageCompression() = default;

    /// The payload of a compressed message (RFC 7692 7.2.1). Null if the message is to be sent as
    /// it is: compression is not worth its time, or there is no memory for it.
    virtual std::shared_ptr<const std::string> compress(
        std::string_view message) const noexcept = 0;
    /// Replaces `message` by the message of a payload (RFC 7692 7.2.2), of at most `bytes_max`
    /// bytes. Throws std::bad_alloc.
    virtual Expansion expand(std::string_view payload, std::size_t bytes_max,
                             std::string& message) const = 0;
};

}  // namespace weir::web

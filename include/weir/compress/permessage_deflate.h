#pragma once

#include <cstddef>
#include <memory>

#include "weir/web/message_compression.h"

/// Compression of the messages of WebSockets, in the library weir-compress. It needs zlib:
///
///     WebSocketOptions options{.compression = permessage_deflate()};
///
/// A message over TLS that contains both a secret and text that an attacker chooses may reveal the
/// secret by its size (RFC 7692 9, BREACH). Do not compress such messages.
namespace weir::web {

struct DeflateOptions {
    /// From 1, fastest, to 9, smallest.
    int level = 1;
    /// Bytes. Shorter messages are sent uncompressed: they hardly get smaller.
    std::size_t size_min = 128;
    /// Bytes. Longer messages are sent uncompressed: compression would hold up the other
    /// connections of the thread. 64 KB of JSON take less than a millisecond at level 1.
    std::size_t size_max = 64 * 1024;
};

/// permessage-deflate without context takeover, for any number of routes and sockets. An idle
/// socket holds no memory for it; up to four encoders (256 KB each) and decoders (40 KB each) are
/// kept for later messages. A message of the peer that expands beyond
/// WebSocketOptions::message_bytes_max closes its socket with 1009. Throws std::invalid_argument
/// for a level that does not exist, and in a build without zlib.
std::shared_ptr<const MessageCompression> permessage_deflate(DeflateOptions options = {});

}  // namespace weir::web

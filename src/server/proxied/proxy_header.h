#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::server {

/// The header of the PROXY protocol. A proxy sends it at the beginning of a connection to name the
/// client: version 1 (a line of text) and version 2 (binary), as
/// haproxy.org/download/3.0/doc/proxy-protocol.txt specifies them.
struct ProxyHeader {
    enum class State : std::uint8_t { incomplete, whole, malformed };
    State state = State::incomplete;
    std::size_t size = 0;  // of the header, if it is whole
    /// The address in the form of Origin::append_address(): "192.0.2.7", "2001:db8::7", "unix:".
    /// Empty if the proxy names no client: the proxy uses the connection for itself, or does not
    /// know the client.
    std::string address{};
};

/// The limit for a header; a longer one counts as malformed. Version 1 allows 107 bytes, and
/// version 2 up to 65,551, of which at most 232 hold the fixed part and the addresses. The rest is
/// for extensions (TLV), which are skipped.
constexpr std::size_t proxy_header_bytes_max = 4096;

/// Reads the header at the front of `bytes`. Throws std::bad_alloc.
ProxyHeader read_proxy_header(std::string_view bytes);

}  // namespace weir::server

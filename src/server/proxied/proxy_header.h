#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::server {

/// The header of the PROXY protocol, with which a proxy begins a connection and says whose it is:
/// version 1 (a line of text) and version 2 (binary), as haproxy.org/download/3.0/doc/proxy-protocol.txt
/// specifies them.
struct ProxyHeader {
    enum class State : std::uint8_t { incomplete, whole, malformed };
    State state = State::incomplete;
    std::size_t size = 0;  // of the header, where it is whole
    /// As Origin::append_address() has it: "192.0.2.7", "2001:db8::7", "unix:". Empty where the proxy
    /// names none: it has made the connection for itself, or does not know the client.
    std::string address{};
};

/// A longer header is malformed. Version 1 allows 107 bytes, and version 2 up to 65,551, of which
/// addresses take 232 at most. The rest is for extensions (TLV), which are skipped.
constexpr std::size_t proxy_header_bytes_max = 4096;

/// Reads the header at the front of `bytes`. Throws std::bad_alloc.
ProxyHeader read_proxy_header(std::string_view bytes);

}  // namespace weir::server

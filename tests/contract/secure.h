#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "contract/contract.h"
#include "support/secure_client.h"
#include "tls/connection/tls_connection.h"

namespace weir::tests {

/// What is between the socket and HTTP.
enum class Security : std::uint8_t { fake, openssl };

/// The server's side. ALPN chooses HTTP/2 or HTTP/1.1; OpenSSL has a certificate for "localhost".
tls::TlsFactories factories_of(Security security);
/// The factories outlive it.
Server::Connect connect_through(const tls::TlsFactories& factories);

/// The client's side, before the handshake. It asks for that protocol.
SecureClient unopened_client(Security security, Client socket, std::string_view protocol);

}  // namespace weir::tests

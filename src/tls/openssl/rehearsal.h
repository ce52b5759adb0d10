#pragma once

#include <openssl/ssl.h>

#include <optional>
#include <string>

namespace weir::tls {

/// Shakes hands with a client of OpenSSL in memory, once with each version. A context may look whole
/// and serve nobody: its key is of a kind that no client knows, or memory ran out while OpenSSL
/// made it. Returns a sentence that says why the handshake fails.
std::optional<std::string> rehearse(SSL_CTX& context);

}  // namespace weir::tls

#pragma once

#include <openssl/ssl.h>

#include <string>
#include <string_view>

namespace weir::tls {

// The challenge tls-alpn-01 of ACME (RFC 8737). A CA connects, offers the protocol "acme-tls/1"
// alone, and names a host. The certificate that it gets proves that the server has this host. The
// certificate is in the file HOST.pem of a folder, from which each such handshake reads it.

/// The protocol of a challenge, in the form of ALPN (RFC 7301 3.1).
constexpr std::string_view protocols_of_challenge = "\012acme-tls/1";

/// Has the sessions that begin with this context answer challenges from `folder`, which must outlive
/// them. All other sessions stay as they are.
void answer_challenges(SSL_CTX& context, const std::string& folder) noexcept;

/// True once the session has the certificate of a challenge. Its context has no say then.
bool is_challenge(const SSL* ssl) noexcept;

}  // namespace weir::tls

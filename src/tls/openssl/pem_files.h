#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "tls/openssl/handles.h"

namespace weir::tls {

/// Reads the first certificate of a file in PEM. The error is a sentence that says what the file is
/// instead.
std::expected<CertificateHandle, std::string> read_certificate(const std::string& path);

/// Reads the key of `certificate`, the first one of the file `chain`. `path` is the key's file, or
/// empty if the key is in `chain`. The key must need no passphrase. The error is a sentence.
/// `option`: that names the key's file.
std::expected<KeyHandle, std::string> read_key(const std::string& path, const std::string& chain,
                                               const X509& certificate,
                                               std::string_view option = "--tls-key");

/// Gives the certificates of the file `chain`, and the key of the first one, to a context. The error
/// is a sentence.
std::expected<void, std::string> use(SSL_CTX& context, const std::string& chain, EVP_PKEY& key);

/// A pem_password_cb(3) that fails, because a server can't ask for a passphrase.
int no_passphrase(char* buffer, int size, int writes, void* data);

}  // namespace weir::tls

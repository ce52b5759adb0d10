#pragma once

#include <expected>
#include <string>

#include "tls/openssl/handles.h"

namespace weir::tls {

/// The first certificate of a file in PEM. Or a sentence that says what the file is instead.
std::expected<CertificateHandle, std::string> read_certificate(const std::string& path);

/// The key of the certificate that `chain` begins with; `path` is its file, or empty if it is in
/// `chain`. Nobody is asked for a passphrase. Or a sentence that says what is wrong.
std::expected<KeyHandle, std::string> read_key(const std::string& path, const std::string& chain,
                                               const X509& certificate);

/// For pem_password_cb(3): a server has nobody to ask.
int no_passphrase(char* buffer, int size, int writes, void* data);

}  // namespace weir::tls

#include "tls/openssl/algorithms.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>

#include <initializer_list>

namespace weir::tls {
namespace {

/// Fetches algorithms, which stay in OpenSSL's tables. True if there was no memory for one.
template <auto fetch, auto release>
bool lacks_memory(std::initializer_list<const char*> names) {
    bool lacks = false;
    for (const char* const name : names) {
        release(fetch(nullptr, name, nullptr));
        while (const unsigned long error = ERR_get_error())
            lacks = lacks || ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE;
    }
    return lacks;
}

}  // namespace

std::expected<void, std::string> load_algorithms() {
    ERR_clear_error();
    const bool lacks =
        lacks_memory<EVP_MD_fetch, EVP_MD_free>({"SHA256", "SHA384", "SHA1"}) ||
        lacks_memory<EVP_CIPHER_fetch, EVP_CIPHER_free>(
            {"AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305", "AES-256-CBC"}) ||
        lacks_memory<EVP_MAC_fetch, EVP_MAC_free>({"HMAC"}) ||
        lacks_memory<EVP_KDF_fetch, EVP_KDF_free>({"HKDF", "TLS13-KDF", "TLS1-PRF"}) ||
        lacks_memory<EVP_RAND_fetch, EVP_RAND_free>({"CTR-DRBG"}) ||
        lacks_memory<EVP_KEYMGMT_fetch, EVP_KEYMGMT_free>({"X25519", "EC", "RSA"}) ||
        lacks_memory<EVP_KEYEXCH_fetch, EVP_KEYEXCH_free>({"X25519", "ECDH"}) ||
        lacks_memory<EVP_SIGNATURE_fetch, EVP_SIGNATURE_free>({"ECDSA", "RSA", "ED25519"});
    if (lacks) return std::unexpected{"not enough memory for OpenSSL's algorithms"};
    return {};
}

}  // namespace weir::tls

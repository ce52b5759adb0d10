#include "acme/keys/account_key.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"
#include "tls/files/private_file.h"
#include "tls/files/read_whole.h"
#include "tls/openssl/pem_files.h"
#include "tls/openssl/pem_text.h"

namespace weir::acme {
namespace {

constexpr std::size_t coordinate_bytes = 32;

using tls::KeyHandle;
using SigningHandle = std::unique_ptr<EVP_MD_CTX, tls::Release<EVP_MD_CTX_free>>;
using SignatureHandle = std::unique_ptr<ECDSA_SIG, tls::Release<ECDSA_SIG_free>>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Nothing if the key is of another kind.
std::optional<Json> jwk_of(const EVP_PKEY& key) {
    std::array<char, 32> curve{};
    std::size_t size = 0;
    if (EVP_PKEY_get_utf8_string_param(&key, OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size(),
                                       &size) != 1 ||
        std::string_view{curve.data(), size} != "prime256v1")
        return std::nullopt;
    // SEC 1, 2.3.3: an uncompressed point is 4, x and y.
    std::array<unsigned char, 1 + 2 * coordinate_bytes> point{};
    if (EVP_PKEY_get_octet_string_param(&key, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size(),
                                        &size) != 1 ||
        size != point.size() || point[0] != 4)
        return std::nullopt;
    const std::string_view both{reinterpret_cast<const char*>(point.data()) + 1, size - 1};
    return Json{{"crv", "P-256"},
                {"kty", "EC"},
                {"x", base64url_encoded(both.substr(0, coordinate_bytes))},
                {"y", base64url_encoded(both.substr(coordinate_bytes))}};
}

KeyHandle read_key(const std::string& text) {
    const tls::BioHandle memory{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
    if (!memory) return nullptr;
    return KeyHandle{PEM_read_bio_PrivateKey(memory.get(), nullptr, tls::no_passphrase, nullptr)};
}

/// OpenSSL writes a signature in DER; JOSE has its two numbers (RFC 7518 3.4).
std::string as_numbers(const std::string& der) {
    const unsigned char* at = bytes_of(der);
    const SignatureHandle signature{d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()))};
    std::array<unsigned char, 2 * coordinate_bytes> both{};
    if (!signature ||
        BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), both.data(), coordinate_bytes) < 0 ||
        BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), both.data() + coordinate_bytes,
                     coordinate_bytes) < 0)
        throw std::runtime_error{"OpenSSL can't sign"};
    return {both.begin(), both.end()};
}

}  // namespace

std::expected<AccountKey, std::string> AccountKey::keep(const std::string& path) {
    std::error_code error;
    const bool is_there = std::filesystem::exists(path, error);
    const auto text = is_there ? tls::read_whole(path) : std::string{};
    if (!text) return std::unexpected{text.error()};
    KeyHandle key{is_there ? read_key(*text) : KeyHandle{EVP_EC_gen("P-256")}};
    auto jwk = key ? jwk_of(*key) : std::nullopt;
    if (!jwk) return std::unexpected{path + " has no key of ECDSA P-256; remove it to get another"};
    if (!is_there)
        if (auto written = tls::write_private(path, tls::pem_of(*key)); !written)
            return std::unexpected{written.error()};
    return AccountKey{std::move(key), std::move(*jwk), is_there};
}

std::string AccountKey::thumbprint() const {
    // The members in the order of their names, without spaces: so nlohmann/json writes them.
    return base64url_encoded(text_of(sha256(written(jwk_))));
}

std::string AccountKey::sign(std::string_view text) const {
    const SigningHandle signing{EVP_MD_CTX_new()};
    std::size_t size = 0;
    std::string der;
    if (signing &&
        EVP_DigestSignInit(signing.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestSign(signing.get(), nullptr, &size, bytes_of(text), text.size()) == 1) {
        der.resize(size);
        if (EVP_DigestSign(signing.get(), reinterpret_cast<unsigned char*>(der.data()), &size,
                           bytes_of(text), text.size()) == 1) {
            der.resize(size);
            return as_numbers(der);
        }
    }
    throw std::runtime_error{"OpenSSL can't sign"};
}

}  // namespace weir::acme

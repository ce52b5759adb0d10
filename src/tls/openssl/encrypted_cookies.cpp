#include "weir/tls/encrypted_cookies.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <new>
#include <utility>

#include "base/bytes/base64.h"
#include "base/bytes/random_bytes.h"
#include "base/bytes/sha256.h"
#include "tls/openssl/handles.h"
#include "web/cookie/cookie_limits.h"

namespace weir::web {
namespace {

// A cookie is salt, nonce, ciphertext and tag, in base64url.
constexpr std::size_t salt_bytes = 12, nonce_bytes = 12, tag_bytes = 16;
constexpr std::size_t begin_bytes = salt_bytes + nonce_bytes;

using CipherHandle = std::unique_ptr<EVP_CIPHER_CTX, tls::Release<EVP_CIPHER_CTX_free>>;
enum class Direction : int { decrypt, encrypt };

const unsigned char* bytes_of(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text, std::size_t at) noexcept {
    return reinterpret_cast<unsigned char*>(text.data() + at);
}

/// OpenSSL fails here for want of memory alone.
void check(int result) {
    if (result != 1) throw std::bad_alloc{};
}

/// Each cookie has a key of its own, by its salt. Random nonces alone would repeat too soon: they
/// allow 2^32 cookies for a key (SP 800-38D 8.3).
CipherHandle cipher_for(std::string_view key, std::string_view begin, std::string_view name,
                        Direction direction) {
    std::string text{"weir encrypted cookie\n"};
    Sha256 own = hmac_sha256(key, text.append(begin.substr(0, salt_bytes)));
    CipherHandle cipher{EVP_CIPHER_CTX_new()};
    if (!cipher) throw std::bad_alloc{};
    const int result =
        EVP_CipherInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, own.data(),
                          bytes_of(begin.substr(salt_bytes)), static_cast<int>(direction));
    OPENSSL_cleanse(own.data(), own.size());
    check(result);
    int size = 0;
    check(EVP_CipherUpdate(cipher.get(), nullptr, &size, bytes_of(name),
                           static_cast<int>(name.size())));
    return cipher;
}

std::string sealed(std::string_view key, std::string_view name, std::string_view value) {
    std::string out = random_bytes(begin_bytes);
    const CipherHandle cipher = cipher_for(key, out, name, Direction::encrypt);
    out.resize(begin_bytes + value.size() + tag_bytes);
    int size = 0;
    check(EVP_CipherUpdate(cipher.get(), bytes_of(out, begin_bytes), &size, bytes_of(value),
                           static_cast<int>(value.size())));
    unsigned char* const end = bytes_of(out, begin_bytes + value.size());
    check(EVP_CipherFinal_ex(cipher.get(), end, &size));
    check(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, end));
    return out;
}

/// Null if the key is another one, or a byte is. `sealed` has at least the bytes around a value.
std::optional<std::string> opened(std::string_view key, std::string_view name, std::string sealed) {
    const CipherHandle cipher =
        cipher_for(key, std::string_view{sealed}.substr(0, begin_bytes), name, Direction::decrypt);
    std::string value(sealed.size() - begin_bytes - tag_bytes, '\0');
    int size = 0;
    check(EVP_CipherUpdate(cipher.get(), bytes_of(value, 0), &size, bytes_of(sealed, begin_bytes),
                           static_cast<int>(value.size())));
    check(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes,
                              bytes_of(sealed, sealed.size() - tag_bytes)));
    unsigned char* const end = bytes_of(value, value.size());
    if (EVP_CipherFinal_ex(cipher.get(), end, &size) != 1) return std::nullopt;
    return value;
}

}  // namespace

EncryptedCookies::EncryptedCookies(std::vector<std::string> keys)
    : keys_{detail::checked_keys(std::move(keys))} {}

Cookie EncryptedCookies::encrypt(Cookie cookie) const {
    detail::check_length(cookie.name, cookie.value);
    cookie.value = base64url_encoded(sealed(keys_.front(), cookie.name, cookie.value));
    detail::check_length(cookie.name, cookie.value);
    return cookie;
}

std::optional<std::string> EncryptedCookies::value(const Call& call, std::string_view name) const {
    const auto text = detail::bounded_cookie(call, name);
    const auto bytes = text ? base64url_decoded(*text) : std::nullopt;
    if (!bytes || bytes->size() < begin_bytes + tag_bytes) return std::nullopt;
    for (const std::string& key : keys_)
        if (auto value = opened(key, name, *bytes)) return value;
    return std::nullopt;
}

}  // namespace weir::web

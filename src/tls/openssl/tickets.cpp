#include "tls/openssl/tickets.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>

#include "tls/files/read_whole.h"

namespace weir::tls {
namespace {

constexpr std::size_t name_bytes = 16;
constexpr int failed = -1, unknown = 0, opens = 1, opens_and_is_old = 2;

bool set_mac_key(EVP_MAC_CTX* mac, std::array<unsigned char, 32>& key) noexcept {
    std::array<char, 7> digest{"SHA256"};
    const std::array parameters{
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.data(), key.size()),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end()};
    return EVP_MAC_CTX_set_params(mac, parameters.data()) == 1;
}

}  // namespace

struct TicketKeys::Derived {
    std::mutex mutex;
    Keys keys;
};

TicketKeys::Keys::~Keys() { OPENSSL_cleanse(this, sizeof *this); }

TicketKeys::TicketKeys(std::string_view secret) : derived_{std::make_shared<Derived>()} {
    SHA256(reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), secret_.data());
    Keys keys;  // processes that are forked for a connection each inherit them
    static_cast<void>(find(std::time(nullptr) / period_seconds, keys));
}

TicketKeys TicketKeys::random() {
    std::array<char, secret_bytes_min> secret;
    if (RAND_bytes(reinterpret_cast<unsigned char*>(secret.data()), secret.size()) != 1)
        throw std::bad_alloc{};
    return TicketKeys{{secret.data(), secret.size()}};
}

std::expected<TicketKeys, std::string> TicketKeys::read(const std::string& path) {
    const auto secret = read_whole(path);
    if (!secret) return std::unexpected{secret.error()};
    if (secret->size() < secret_bytes_min)
        return std::unexpected{path + " has less than " + std::to_string(secret_bytes_min) +
                               " bytes: head -c 64 /dev/urandom makes a secret"};
    return TicketKeys{*secret};
}

int TicketKeys::encrypt(unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                        EVP_MAC_CTX* mac, std::int64_t unix_seconds) const noexcept {
    Keys keys;
    if (!find(unix_seconds / period_seconds, keys)) return failed;
    Key& key = keys.current;
    const bool is_done =
        RAND_bytes(iv, EVP_MAX_IV_LENGTH) == 1 &&
        EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key.encryption.data(), iv) == 1 &&
        set_mac_key(mac, key.authentication);
    std::memcpy(name, key.name.data(), name_bytes);
    return is_done ? opens : failed;
}

int TicketKeys::decrypt(const unsigned char* name, const unsigned char* iv, EVP_CIPHER_CTX* cipher,
                        EVP_MAC_CTX* mac, std::int64_t unix_seconds) const noexcept {
    Keys keys;
    if (!find(unix_seconds / period_seconds, keys)) return failed;
    for (Key* const key : {&keys.current, &keys.before, &keys.after}) {
        if (std::memcmp(name, key->name.data(), name_bytes) != 0) continue;
        const bool is_done = EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr,
                                                key->encryption.data(), iv) == 1 &&
                             set_mac_key(mac, key->authentication);
        if (!is_done) return failed;
        return key == &keys.current ? opens : opens_and_is_old;
    }
    return unknown;
}

/// Derives the keys of a period once. False if OpenSSL failed.
bool TicketKeys::find(std::int64_t period, Keys& keys) const noexcept {
    const std::scoped_lock lock{derived_->mutex};
    Keys& last = derived_->keys;
    if (last.period != period) {
        last.period = -1;
        if (!derive(period, last.current) || !derive(period - 1, last.before) ||
            !derive(period + 1, last.after))
            return false;
        last.period = period;
    }
    keys = last;
    return true;
}

bool TicketKeys::derive(std::int64_t period, Key& key) const noexcept {
    return derive(1, period, key.name) && derive(2, period, key.encryption) &&
           derive(3, period, key.authentication);
}

/// HKDF-Expand (RFC 5869 2.3) of one block.
bool TicketKeys::derive(unsigned char purpose, std::int64_t period, Bytes& into) const noexcept {
    std::array<unsigned char, 32> info{"weir session ticket"};
    for (std::size_t byte = 0; byte < sizeof period; ++byte)
        info[info.size() - 3 - byte] = static_cast<unsigned char>(period >> (8 * byte));
    info[info.size() - 2] = purpose;
    info[info.size() - 1] = 1;
    unsigned size = 0;
    return HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()), info.data(),
                info.size(), into.data(), &size) != nullptr &&
           size == into.size();
}

}  // namespace weir::tls

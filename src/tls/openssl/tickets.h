#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace weir::tls {

/// The keys that encrypt session tickets (RFC 5077, RFC 8446 4.6.1). Each is derived from a secret
/// and the time, so all workers, processes and machines with the same secret have the same keys,
/// without communication. A key encrypts tickets for one period. It decrypts them also in the next
/// period, and in the one before, because the clocks of machines differ.
class TicketKeys {
   public:
    static constexpr std::int64_t period_seconds = 12L * 60 * 60;
    static constexpr std::size_t secret_bytes_min = 32;

    /// With a random secret. Throws std::bad_alloc if OpenSSL has no random numbers.
    static TicketKeys random();
    /// With a secret of 32 bytes or more. Throws std::bad_alloc.
    static TicketKeys of(std::string_view secret) { return TicketKeys{secret}; }
    /// With the secret in a file of 32 bytes or more. The error is one sentence.
    static std::expected<TicketKeys, std::string> read(const std::string& path);

    /// Both return the result for the callback of SSL_CTX_set_tlsext_ticket_key_evp_cb(3).
    int encrypt(unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
                std::int64_t unix_seconds) const noexcept;
    int decrypt(const unsigned char* name, const unsigned char* iv, EVP_CIPHER_CTX* cipher,
                EVP_MAC_CTX* mac, std::int64_t unix_seconds) const noexcept;

   private:
    using Bytes = std::array<unsigned char, 32>;
    struct Key {
        Bytes name;  // only the first half is used
        Bytes encryption;
        Bytes authentication;
    };
    /// The keys of a period, of the one before and of the one after.
    struct Keys {
        std::int64_t period = -1;  // -1: there are none
        Key current, before, after;
        Keys() = default;
        Keys(const Keys&) = default;
        Keys& operator=(const Keys&) = default;
        ~Keys();
    };
    /// The keys that were derived last. All copies share them, on all threads.
    struct Derived;

    explicit TicketKeys(std::string_view secret);
    bool find(std::int64_t period, Keys& keys) const noexcept;
    bool derive(std::int64_t period, Key& key) const noexcept;
    bool derive(unsigned char purpose, std::int64_t period, Bytes& into) const noexcept;

    Bytes secret_{};
    std::shared_ptr<Derived> derived_;
};

}  // namespace weir::tls

#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
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
    /// With a secret of 32 bytes or more.
    static TicketKeys of(std::string_view secret) noexcept { return TicketKeys{secret}; }
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

    explicit TicketKeys(std::string_view secret) noexcept;
    bool derive(std::int64_t period, Key& key) const noexcept;
    bool derive(unsigned char purpose, std::int64_t period, Bytes& into) const noexcept;

    Bytes secret_{};
};

}  // namespace weir::tls

#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace weir::tls {

/// The keys that encrypt session tickets (RFC 5077, RFC 8446 4.6.1). Each is derived from a secret and
/// the time, so that all who have the secret (workers, processes, machines) have the same keys,
/// without a word between them. A key is used for a period. It opens tickets for one more period, and
/// in the one before, since the clocks of machines differ.
class TicketKeys {
   public:
    static constexpr std::int64_t period_seconds = 12L * 60 * 60;

    /// Of a secret that nobody else has. Throws std::bad_alloc where OpenSSL has no random numbers.
    static TicketKeys random();
    /// Of a file with 32 bytes or more. Or a sentence that says why not.
    static std::expected<TicketKeys, std::string> read(const std::string& path);

    /// For SSL_CTX_set_tlsext_ticket_key_evp_cb(3), at that time: what its callback returns.
    int encrypt(unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
                std::int64_t unix_seconds) const noexcept;
    int decrypt(const unsigned char* name, const unsigned char* iv, EVP_CIPHER_CTX* cipher,
                EVP_MAC_CTX* mac, std::int64_t unix_seconds) const noexcept;

   private:
    using Bytes = std::array<unsigned char, 32>;
    struct Key {
        Bytes name;  // the first half of it
        Bytes encryption;
        Bytes authentication;
    };

    explicit TicketKeys(std::string_view secret) noexcept;
    bool derive(std::int64_t period, Key& key) const noexcept;
    bool derive(unsigned char purpose, std::int64_t period, Bytes& into) const noexcept;

    Bytes secret_{};
};

}  // namespace weir::tls

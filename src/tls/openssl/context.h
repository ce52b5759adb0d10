#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tls/connection/session.h"
#include "tls/files/wake_up.h"
#include "tls/openssl/asked_names.h"
#include "tls/openssl/handles.h"
#include "tls/openssl/staple.h"
#include "tls/openssl/tickets.h"
#include "tls/openssl/validity.h"
#include "weir/tls/tls.h"

namespace weir::tls {

/// What all sessions of a server share: versions, ciphers, certificates. It does not change; a
/// reload makes another one.
class Context : public std::enable_shared_from_this<Context> {
    struct Key {};

   public:
    /// What every context of a server has in common.
    struct Common {
        std::string protocols;  // as ALPN has them on the wire; set before the first session
        TicketKeys tickets = TicketKeys::random();  // where Settings name no file
        mutable AskedNames asked;                   // thread-safe
        WakeUp wake_up;                             // when an operator should hear something
    };

    /// Or a sentence that says which file is wrong, and why.
    static std::expected<std::shared_ptr<const Context>, std::string> make(
        const Settings& settings, std::shared_ptr<const Common> common);
    explicit Context(Key /*only make() has one*/) {}

    /// Keeps the context. Throws std::bad_alloc.
    std::unique_ptr<Session> session() const;
    /// What is served: "example.org, www.example.org (until 2027-02-20)"; several after "; ".
    std::string text() const;
    /// What an operator should hear now of what has expired, is not valid yet, or expires within a
    /// week; a sentence each.
    std::vector<std::string> concerns(std::int64_t now) const;
    /// When he should hear more; INT64_MAX: never.
    std::int64_t next_concern(std::int64_t now) const noexcept;
    /// A name of the certificate for clients that ask for none.
    std::string first_name() const;

   private:
    using Added = std::expected<void, std::string>;
    Added read(const Settings& settings);
    Added add(const CertificateFiles& files, const Settings& settings);
    std::expected<ContextHandle, std::string> make_context(const Settings& settings);
    void note_validity(const std::string& path, const X509& certificate, SSL_CTX& context);
    /// Where a certificate stands beside another one of the same names.
    SSL_CTX* find_beside(const X509& certificate, const std::vector<std::string>& names) const;
    SSL_CTX* find(std::string_view name) const noexcept;

    static const Context& of(const SSL* ssl) noexcept;
    static int choose_protocol(SSL* ssl, const unsigned char** out, unsigned char* out_size,
                               const unsigned char* in, unsigned in_size, void* context);
    static int choose_certificate(SSL* ssl, int* alert, void* context);
    static int staple(SSL* ssl, void* context);
    static int use_ticket_keys(SSL* ssl, unsigned char* name, unsigned char* iv,
                               EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac, int encrypts);

    struct Served {
        ContextHandle context;
        std::vector<std::string> names;
        std::string text;
    };

    std::shared_ptr<const Common> common_;
    std::vector<Served> served_;  // the first is where every session begins
    std::map<std::string, SSL_CTX*, std::less<>> by_name_;
    std::optional<TicketKeys> tickets_;
    std::vector<Staple> staples_;
    std::vector<Validity> validities_;
};

/// As ALPN has them on the wire: each name after its length (RFC 7301 3.1).
std::string on_the_wire(const std::vector<std::string>& protocols);

}  // namespace weir::tls

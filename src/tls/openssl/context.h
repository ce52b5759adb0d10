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

/// The settings that all sessions of a server share: versions, ciphers, certificates. A context
/// does not change; a reload makes another one.
class Context : public std::enable_shared_from_this<Context> {
    struct Key {};

   public:
    /// The parts that all contexts of a server share.
    struct Common {
        std::string protocols;  // in the form of ALPN; set before the first session
        TicketKeys tickets = TicketKeys::random();  // if Settings name no file
        mutable AskedNames asked;                   // thread-safe
        WakeUp wake_up;                             // for the next report to the operator
    };

    /// The error is a sentence that names the wrong file and the reason.
    static std::expected<std::shared_ptr<const Context>, std::string> make(
        const Settings& settings, std::shared_ptr<const Common> common);
    explicit Context(Key /*only make() has one*/) {}

    /// Makes a session, which keeps the context. Throws std::bad_alloc.
    std::unique_ptr<Session> session() const;
    /// The served certificates: "example.org, www.example.org (until 2027-02-20)"; a semicolon
    /// separates several.
    std::string text() const;
    /// Warnings for the operator: a sentence for each certificate or OCSP response that has
    /// expired, is not valid yet, or expires soon (a certificate: within a week). `now` is in Unix
    /// seconds.
    std::vector<std::string> concerns(std::int64_t now) const;
    /// The time of the next warning in Unix seconds; INT64_MAX: never.
    std::int64_t next_concern(std::int64_t now) const noexcept;
    /// A name of the certificate for clients that name no host.
    std::string first_name() const;

   private:
    using Added = std::expected<void, std::string>;
    Added read(const Settings& settings);
    Added add(const CertificateFiles& files, const Settings& settings);
    std::expected<ContextHandle, std::string> make_context(const Settings& settings);
    void note_validity(const std::string& path, const X509& certificate, SSL_CTX& context);
    /// The context of a certificate with the same names and a key of another kind; null if there is
    /// none.
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
    std::vector<Served> served_;  // every session begins with the first
    std::map<std::string, SSL_CTX*, std::less<>> by_name_;
    std::optional<TicketKeys> tickets_;
    std::vector<Staple> staples_;
    std::string challenges_;  // the folder of Settings
    std::vector<Validity> validities_;
};

/// Returns the names in the form of ALPN: each name after its length (RFC 7301 3.1).
std::string on_the_wire(const std::vector<std::string>& protocols);

}  // namespace weir::tls

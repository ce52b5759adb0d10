#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tls/connection/session.h"
#include "tls/openssl/handles.h"

namespace weir::tls {

/// A Session of OpenSSL. Its BIO reads directly from the input of a call, and writes directly into
/// its output. So there are no buffers between (a pair of memory BIOs would take 17 KB on each
/// side).
class OpenSslSession final : public Session {
   public:
    /// A server's session. Keeps `owner`, which owns the context. Throws std::bad_alloc.
    OpenSslSession(SSL_CTX& context, std::shared_ptr<const void> owner);
    /// A client's session with a server that must prove to be `host`.
    OpenSslSession(SSL_CTX& context, std::shared_ptr<const void> owner, const std::string& host);
    ~OpenSslSession() override;

    SSL& handle() noexcept { return *ssl_; }

    Status shake_hands(std::string_view& in, Ciphertext& out) override;
    bool is_open() const noexcept override;
    std::string_view protocol() const noexcept override;
    http::Security security() const override;
    Read read(std::string_view& in, std::span<char> plain, Ciphertext& out) override;
    bool write(std::string_view plain, Ciphertext& out) override;
    void close(Ciphertext& out) noexcept override;
    void release() noexcept override;

    /// Of the peer's certificate (X509_verify_cert_error_string(3)); X509_V_OK also if there was
    /// none yet.
    long verdict() const noexcept;

   private:
    friend struct SessionBio;

    /// Gives the BIO the input and the output of a call, until the call returns.
    class Wire;

    /// From the client's certificate.
    struct Client {
        std::string subject;
        std::string fingerprint;
    };

    Status status_of(int result) noexcept;
    void note_client();

    std::shared_ptr<const void> owner_;
    SslHandle ssl_;
    std::string_view* in_ = nullptr;
    Ciphertext* out_ = nullptr;
    std::unique_ptr<const Client> client_;  // null: the client has sent no certificate
    bool is_reading_ = false;
    /// Counts the messages that OpenSSL sends during read(): it replies to each KeyUpdate that asks
    /// for a reply (RFC 8446 4.6.3), and has no limit of its own.
    std::uint8_t replies_ = 0;
};

/// Requires a certificate for this host. Sends the host to the server if it is a name, but no
/// address (RFC 6066 3). False if OpenSSL has no memory.
bool expect_host(SSL& session, const std::string& host);

}  // namespace weir::tls

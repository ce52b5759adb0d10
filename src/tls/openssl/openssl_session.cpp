#include "tls/openssl/openssl_session.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "tls/openssl/certificate_text.h"

namespace weir::tls {

namespace {
/// For the life of a connection. A key is good for 2^24 records at least (RFC 8446 5.5), so a peer
/// needs few new keys.
constexpr std::uint8_t replies_max = 100;

bool is_numeric(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> bytes;
    return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

bool expect_host(SSL& session, const std::string& host) {
    if (is_numeric(host))
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(&session), host.c_str()) == 1;
    SSL_set_hostflags(&session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);  // RFC 6125 6.4.3
    return SSL_set_tlsext_host_name(&session, host.c_str()) == 1 &&
           SSL_set1_host(&session, host.c_str()) == 1;
}

class OpenSslSession::Wire {
   public:
    Wire(OpenSslSession& session, std::string_view* in, Ciphertext* out) noexcept
        : session_{session} {
        session_.in_ = in;
        session_.out_ = out;
        if (ERR_peek_error() != 0) ERR_clear_error();  // SSL_get_error(3) needs an empty queue
    }
    ~Wire() {
        session_.in_ = nullptr;
        session_.out_ = nullptr;
    }
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

   private:
    OpenSslSession& session_;
};

/// The BIO of a session, for both directions (BIO_meth_new(3)).
struct SessionBio {
    static const BIO_METHOD* method() {
        static const BIO_METHOD* const made = make();
        return made;
    }

   private:
    static const BIO_METHOD* make() {
        BIO_METHOD* const method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "weir");
        if (!method) throw std::bad_alloc{};
        BIO_meth_set_read(method, read);
        BIO_meth_set_write(method, write);
        BIO_meth_set_ctrl(method, control);
        return method;
    }

    static OpenSslSession& session_of(BIO* bio) noexcept {
        return *static_cast<OpenSslSession*>(BIO_get_data(bio));
    }

    static int read(BIO* bio, char* into, int size) {
        OpenSslSession& session = session_of(bio);
        BIO_clear_retry_flags(bio);
        if (!session.in_ || session.in_->empty()) {
            BIO_set_retry_read(bio);
            return -1;
        }
        const std::size_t taken =
            std::min<std::size_t>(static_cast<std::size_t>(size), session.in_->size());
        std::memcpy(into, session.in_->data(), taken);
        session.in_->remove_prefix(taken);
        return static_cast<int>(taken);
    }

    static int write(BIO* bio, const char* bytes, int size) {
        OpenSslSession& session = session_of(bio);
        BIO_clear_retry_flags(bio);
        if (session.is_reading_ && ++session.replies_ > replies_max) return -1;
        const std::size_t taken =
            session.out_ ? session.out_->append({bytes, static_cast<std::size_t>(size)}) : 0;
        if (taken != 0) return static_cast<int>(taken);
        BIO_set_retry_write(bio);
        return -1;
    }

    /// OpenSSL flushes after each flight. The BIO supports no other command.
    static long control(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
        return command == BIO_CTRL_FLUSH ? 1 : 0;
    }
};

OpenSslSession::OpenSslSession(SSL_CTX& context, std::shared_ptr<const void> owner)
    : owner_{std::move(owner)}, ssl_{SSL_new(&context)} {
    if (!ssl_) throw std::bad_alloc{};
    BIO* const bio = BIO_new(SessionBio::method());
    if (!bio) throw std::bad_alloc{};
    BIO_set_data(bio, this);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl_.get(), bio, bio);  // takes one reference for both ends
    SSL_set_accept_state(ssl_.get());
}

OpenSslSession::OpenSslSession(SSL_CTX& context, std::shared_ptr<const void> owner,
                               const std::string& host)
    : OpenSslSession{context, std::move(owner)} {
    SSL_set_connect_state(ssl_.get());
    if (!expect_host(*ssl_, host)) throw std::bad_alloc{};
}

OpenSslSession::~OpenSslSession() = default;

Session::Status OpenSslSession::shake_hands(std::string_view& in, Ciphertext& out) {
    const Wire wire{*this, &in, &out};
    const Status status = status_of(SSL_do_handshake(ssl_.get()));
    if (status == Status::going_on) note_client();
    return status;
}

void OpenSslSession::note_client() {
    if (SSL_is_server(ssl_.get()) == 0) return;
    const X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
    if (certificate)
        client_ =
            std::make_unique<const Client>(subject_of(*certificate), fingerprint_of(*certificate));
}

bool OpenSslSession::is_open() const noexcept { return SSL_is_init_finished(ssl_.get()) == 1; }

std::string_view OpenSslSession::protocol() const noexcept {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
}

http::Security OpenSslSession::security() const {
    const auto text_or_empty = [](const char* text) { return text ? text : ""; };
    http::Security security{
        .version = SSL_get_version(ssl_.get()),
        .cipher = SSL_get_cipher_name(ssl_.get()),
        .server_name = text_or_empty(SSL_get_servername(ssl_.get(), TLSEXT_NAMETYPE_host_name)),
        .client_subject = {},
        .client_fingerprint = {},
        .is_resumed = SSL_session_reused(ssl_.get()) == 1,
    };
    if (client_) {
        security.client_subject = client_->subject;
        security.client_fingerprint = client_->fingerprint;
    }
    return security;
}

Session::Read OpenSslSession::read(std::string_view& in, std::span<char> plain, Ciphertext& out) {
    const Wire wire{*this, &in, &out};
    is_reading_ = true;
    std::size_t size = 0;
    const int result = SSL_read_ex(ssl_.get(), plain.data(), plain.size(), &size);
    is_reading_ = false;
    return {status_of(result), size};
}

bool OpenSslSession::write(std::string_view plain, Ciphertext& out) {
    const Wire wire{*this, nullptr, &out};
    std::size_t size = 0;
    return SSL_write_ex(ssl_.get(), plain.data(), plain.size(), &size) == 1 && size == plain.size();
}

void OpenSslSession::close(Ciphertext& out) noexcept {
    const Wire wire{*this, nullptr, &out};
    SSL_shutdown(ssl_.get());
}

/// Frees two buffers of a record each, if they are empty. OpenSSL allocates them again when it
/// needs them.
void OpenSslSession::release() noexcept { SSL_free_buffers(ssl_.get()); }

long OpenSslSession::verdict() const noexcept { return SSL_get_verify_result(ssl_.get()); }

Session::Status OpenSslSession::status_of(int result) noexcept {
    switch (SSL_get_error(ssl_.get(), result)) {
        case SSL_ERROR_NONE: return Status::going_on;
        case SSL_ERROR_WANT_READ: return Status::wants_input;
        case SSL_ERROR_WANT_WRITE: return Status::wants_room;
        case SSL_ERROR_ZERO_RETURN: return Status::ended;
        default: return Status::failed;
    }
}

}  // namespace weir::tls

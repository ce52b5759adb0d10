#include "tls/client.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <system_error>

#include "tls/openssl/handles.h"
#include "tls/openssl/last_words.h"
#include "tls/openssl/openssl_session.h"

namespace weir::tls {
namespace {

/// net::uninterrupted() for OpenSSL, whose results are the same for an interrupted wait and for one
/// whose time has passed.
template <typename Call>
int uninterrupted(Call call) {
    for (;;) {
        errno = 0;
        const int result = call();
        if (result > 0 || errno != EINTR) return result;
    }
}

std::string why_failed(const SSL& session, int result) {
    const int error = errno;
    switch (SSL_get_error(&session, result)) {
        case SSL_ERROR_ZERO_RETURN: return "the connection was closed";
        // The socket's time has passed (socket(7), SO_RCVTIMEO).
        case SSL_ERROR_WANT_READ:
        case SSL_ERROR_WANT_WRITE: return std::generic_category().message(EAGAIN);
        case SSL_ERROR_SYSCALL:
            return error == 0 ? "the connection was closed"
                              : std::generic_category().message(error);
        default: return last_words();
    }
}

std::unexpected<NoAnswer> no_handshake(const SSL& session, int result) {
    const long verified = SSL_get_verify_result(&session);
    if (verified == X509_V_OK)
        return std::unexpected{
            NoAnswer{.why = "does not speak TLS: " + why_failed(session, result)}};
    return std::unexpected{
        NoAnswer{.why = std::string{"has a certificate that can't be verified: "} +
                        X509_verify_cert_error_string(verified),
                 .speaks_tls = true}};
}

/// A server of TLS 1.3 refuses a client without a certificate only after the handshake has ended
/// for the client.
std::unexpected<NoAnswer> no_answer(const SSL& session, int result) {
    const bool wants_certificate =
        ERR_GET_REASON(ERR_peek_last_error()) == SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED;
    return std::unexpected{NoAnswer{
        .why = wants_certificate ? "asks for a client's certificate, and weir health has none"
                                 : "does not answer: " + why_failed(session, result),
        .speaks_tls = true}};
}

std::unexpected<NoAnswer> cannot_ask(const std::string& what) {
    return std::unexpected{NoAnswer{.why = what + ": " + last_words()}};
}

}  // namespace

std::expected<std::string, NoAnswer> ask(int socket, const Question& question) {
    ERR_clear_error();
    const ContextHandle context{SSL_CTX_new(TLS_client_method())};
    if (!context) return cannot_ask("can't be asked");
    if (!question.ca.empty()) {
        if (SSL_CTX_load_verify_file(context.get(), question.ca.c_str()) != 1)
            return cannot_ask("can't be verified by " + question.ca);
        SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    }
    const SslHandle session{SSL_new(context.get())};
    if (!session || SSL_set_fd(session.get(), socket) != 1 || !expect_host(*session, question.host))
        return cannot_ask("can't be asked");
    SSL* const ssl = session.get();
    if (const int done = uninterrupted([&] { return SSL_connect(ssl); }); done != 1)
        return no_handshake(*session, done);
    std::string answer(question.answer_bytes, '\0');
    std::size_t size = 0, got = 0;
    int result = uninterrupted([&] {
        return SSL_write(ssl, question.request.data(), static_cast<int>(question.request.size()));
    });
    while (result > 0 && size < answer.size()) {
        result = uninterrupted(
            [&] { return SSL_read_ex(ssl, answer.data() + size, answer.size() - size, &got); });
        if (result > 0) size += got;
    }
    if (size == 0) return no_answer(*session, result);
    answer.resize(size);
    return answer;
}

}  // namespace weir::tls

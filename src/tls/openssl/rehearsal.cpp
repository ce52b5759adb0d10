#include "tls/openssl/rehearsal.h"

#include <openssl/bio.h>

#include "tls/openssl/handles.h"
#include "tls/openssl/last_words.h"

namespace weir::tls {
namespace {

/// One after the other, each takes what the other one has said: some ten turns.
constexpr int turns_max = 100;

/// What one end writes, the other one reads.
bool join(SSL& server, SSL& client) {
    BIO* const to_server = BIO_new(BIO_s_mem());
    BIO* const to_client = BIO_new(BIO_s_mem());
    if (!to_server || !to_client) {
        BIO_free(to_server);
        BIO_free(to_client);
        return false;
    }
    BIO_up_ref(to_server);
    BIO_up_ref(to_client);
    SSL_set_bio(&server, to_server, to_client);
    SSL_set_bio(&client, to_client, to_server);
    SSL_set_accept_state(&server);
    SSL_set_connect_state(&client);
    return true;
}

bool goes_on(SSL& end, int result) {
    const int error = SSL_get_error(&end, result);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

bool shake_hands(SSL& server, SSL& client) {
    for (int turn = 0; turn < turns_max; ++turn) {
        const int asked = SSL_do_handshake(&client);
        if (asked != 1 && !goes_on(client, asked)) return false;
        const int answered = SSL_do_handshake(&server);
        if (answered != 1 && !goes_on(server, answered)) return false;
        if (asked == 1 && answered == 1) return true;
    }
    return false;
}

/// The client trusts everything, and shows no certificate.
bool serves(SSL_CTX& context, SSL_CTX& of_client, int version) {
    const SslHandle server{SSL_new(&context)};
    const SslHandle client{SSL_new(&of_client)};
    if (!server || !client || !join(*server, *client)) return false;
    SSL_set_verify(server.get(), SSL_VERIFY_NONE, nullptr);
    return SSL_set_min_proto_version(client.get(), version) == 1 &&
           SSL_set_max_proto_version(client.get(), version) == 1 && shake_hands(*server, *client);
}

}  // namespace

std::optional<std::string> rehearse(SSL_CTX& context) {
    ERR_clear_error();
    const ContextHandle of_client{SSL_CTX_new(TLS_client_method())};
    for (const int version : {TLS1_3_VERSION, TLS1_2_VERSION})
        if (!of_client || !serves(context, *of_client, version)) return last_words();
    ERR_clear_error();
    return std::nullopt;
}

}  // namespace weir::tls

#include "tls/openssl/challenge.h"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <cstddef>
#include <new>

#include "http/syntax/lower_case.h"
#include "tls/files/read_whole.h"
#include "tls/openssl/handles.h"
#include "tls/openssl/pem_files.h"

namespace weir::tls {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{64} << 10U;

// A pipe without a writer would block the open(2).
constexpr int file_flags = O_NOFOLLOW | O_NONBLOCK;

/// Returns the bytes of an extension of the ClientHello; empty if there is none.
std::string_view extension(SSL* ssl, unsigned kind) noexcept {
    const unsigned char* bytes = nullptr;
    std::size_t size = 0;
    if (SSL_client_hello_get0_ext(ssl, kind, &bytes, &size) != 1) return {};
    return {reinterpret_cast<const char*>(bytes), size};
}

/// Reads a length of two bytes at the front of `bytes`. Returns the remaining bytes if they have
/// this length, and an empty view if not.
std::string_view within_length(std::string_view bytes) noexcept {
    constexpr std::size_t length_bytes = 2;
    if (bytes.size() < length_bytes) return {};
    const auto length = std::size_t{static_cast<unsigned char>(bytes[0])} << 8U |
                        static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(length_bytes);
    return bytes.size() == length ? bytes : std::string_view{};
}

/// Returns the only name of the extension server_name (RFC 6066 3); empty if there is not one name.
std::string_view host_of(SSL* ssl) noexcept {
    const std::string_view list = within_length(extension(ssl, TLSEXT_TYPE_server_name));
    if (list.empty() || list.front() != TLSEXT_NAMETYPE_host_name) return {};
    return within_length(list.substr(1));
}

/// True if a path that ends with this host can't lead out of its folder.
bool is_file_name(std::string_view host) noexcept {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789-._";
    return !host.empty() && host.front() != '.' &&
           host.find_first_not_of(allowed) == std::string_view::npos;
}

/// Returns the key and the certificate for a host in PEM; empty if there are none.
std::string read_pem(const std::string& folder, std::string host) {
    std::ranges::transform(host, host.begin(), [](char c) { return http::lower_case(c); });
    if (!is_file_name(host)) return {};
    return read_whole(folder + "/" + host + ".pem",
                      {.bytes_max = file_bytes_max, .flags = file_flags})
        .value_or(std::string{});
}

BioHandle bio_of(const std::string& pem) noexcept {
    return BioHandle{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
}

/// Puts the key and the certificate in place of those of the context.
bool use_pem(SSL* ssl, const std::string& pem) noexcept {
    const BioHandle for_certificate = bio_of(pem), for_key = bio_of(pem);
    if (!for_certificate || !for_key) return false;
    const CertificateHandle certificate{
        PEM_read_bio_X509(for_certificate.get(), nullptr, no_passphrase, nullptr)};
    const KeyHandle key{PEM_read_bio_PrivateKey(for_key.get(), nullptr, no_passphrase, nullptr)};
    SSL_certs_clear(ssl);  // a certificate with a key of another kind would stay beside this one
    return certificate && key &&
           SSL_use_cert_and_key(ssl, certificate.get(), key.get(), nullptr, 1) == 1;
}

/// Makes the session one of a challenge: the CA shows no certificate, and resumes no session. The
/// mark is any pointer but null.
bool begin(SSL* ssl, const std::string& pem, void* mark) noexcept {
    const bool is_ready = !pem.empty() && use_pem(ssl, pem) && SSL_set_app_data(ssl, mark) == 1 &&
                          SSL_set_num_tickets(ssl, 0) == 1;
    SSL_set_verify(ssl, SSL_VERIFY_NONE, nullptr);
    SSL_set_options(ssl, SSL_OP_NO_TICKET);
    ERR_clear_error();  // errors that stay would fail the handshake: SSL_get_error(3)
    return is_ready;
}

int refuse(int* alert, int reason) noexcept {
    *alert = reason;
    return SSL_CLIENT_HELLO_ERROR;
}

/// A SSL_client_hello_cb_fn(3). A second ClientHello, after HelloRetryRequest, must ask for the same
/// as the first (RFC 8446 4.1.2). The server has no protocol for a host without a file, which RFC
/// 7301 3.2 answers with no_application_protocol.
int look_at_hello(SSL* ssl, int* alert, void* folder) noexcept try {
    const std::string_view protocols =
        within_length(extension(ssl, TLSEXT_TYPE_application_layer_protocol_negotiation));
    const std::string_view host = protocols == protocols_of_challenge ? host_of(ssl) : "";
    if (host.empty())
        return is_challenge(ssl) ? refuse(alert, SSL_AD_ILLEGAL_PARAMETER)
                                 : SSL_CLIENT_HELLO_SUCCESS;
    const std::string pem = read_pem(*static_cast<const std::string*>(folder), std::string{host});
    if (!begin(ssl, pem, folder)) return refuse(alert, SSL_AD_NO_APPLICATION_PROTOCOL);
    return SSL_CLIENT_HELLO_SUCCESS;
} catch (const std::bad_alloc&) {
    return refuse(alert, SSL_AD_INTERNAL_ERROR);
}

}  // namespace

void answer_challenges(SSL_CTX& context, const std::string& folder) noexcept {
    SSL_CTX_set_client_hello_cb(&context, look_at_hello, const_cast<std::string*>(&folder));
}

bool is_challenge(const SSL* ssl) noexcept { return SSL_get_app_data(ssl) != nullptr; }

}  // namespace weir::tls

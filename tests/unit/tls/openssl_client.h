#pragma once

#include <openssl/ssl.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace weir::tls {

/// A client of OpenSSL's own, in memory.
class OpenSslClient {
   public:
    struct Options {
        std::string name = "localhost";
        std::string protocols{};  // as on the wire: "\x02h2"
        int version_max = TLS1_3_VERSION;
    };

    explicit OpenSslClient(const Options& options)
        : context_{SSL_CTX_new(TLS_client_method())}, ssl_{SSL_new(context_)} {
        SSL_set_bio(ssl_, in_, out_);
        SSL_set_connect_state(ssl_);
        SSL_set_max_proto_version(ssl_, options.version_max);
        SSL_set_tlsext_host_name(ssl_, options.name.c_str());
        if (!options.protocols.empty())
            SSL_set_alpn_protos(ssl_,
                                reinterpret_cast<const unsigned char*>(options.protocols.data()),
                                static_cast<unsigned>(options.protocols.size()));
    }
    ~OpenSslClient() {
        SSL_free(ssl_);
        SSL_CTX_free(context_);
    }
    OpenSslClient(const OpenSslClient&) = delete;
    OpenSslClient& operator=(const OpenSslClient&) = delete;

    SSL* ssl() { return ssl_; }
    /// The certificate by which it says who it is.
    void show(const std::string& chain, const std::string& key) {
        SSL_use_certificate_file(ssl_, chain.c_str(), SSL_FILETYPE_PEM);
        SSL_use_PrivateKey_file(ssl_, key.c_str(), SSL_FILETYPE_PEM);
    }
    /// What it has to say to the server.
    std::string take() {
        std::string bytes(BIO_ctrl_pending(out_), '\0');
        if (!bytes.empty()) BIO_read(out_, bytes.data(), static_cast<int>(bytes.size()));
        return bytes;
    }
    void give(std::string_view bytes) {
        if (!bytes.empty()) BIO_write(in_, bytes.data(), static_cast<int>(bytes.size()));
    }
    bool shake_hands() { return SSL_do_handshake(ssl_) == 1; }
    void write(std::string_view plain) {
        SSL_write(ssl_, plain.data(), static_cast<int>(plain.size()));
    }
    std::string read() {
        std::string all;
        std::array<char, 16 * 1024> record;
        std::size_t got = 0;
        while (SSL_read_ex(ssl_, record.data(), record.size(), &got) == 1)
            all.append(record.data(), got);
        return all;
    }
    bool was_closed() const { return (SSL_get_shutdown(ssl_) & SSL_RECEIVED_SHUTDOWN) != 0; }

   private:
    SSL_CTX* context_;
    SSL* ssl_;
    BIO* in_ = BIO_new(BIO_s_mem());
    BIO* out_ = BIO_new(BIO_s_mem());
};

}  // namespace weir::tls

#pragma once

#include <gtest/gtest.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tls/openssl/context.h"
#include "tls/openssl/made_certificate.h"
#include "unit/tls/openssl_client.h"
#include "unit/tls/tls_driver.h"

namespace weir::tls {

const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

/// A folder for files in PEM, and a client and a server that talk in memory.
class OpenSsl : public testing::Test {
   protected:
    OpenSsl() {
        std::string pattern = (std::filesystem::temp_directory_path() / "weir-tls-XXXXXX").string();
        folder = ::mkdtemp(pattern.data());
        common->protocols = on_the_wire({"http/1.1"});
    }
    ~OpenSsl() override { std::filesystem::remove_all(folder); }

    std::string write(const std::string& name, std::string_view text) const {
        const std::string path = folder / name;
        std::ofstream{path, std::ios::binary} << text;
        return path;
    }
    CertificateFiles certificate(const std::vector<std::string>& names) const {
        const auto made = make_self_signed(names, 30);
        return {write(names.at(0) + ".pem", made.value().certificate),
                write(names.at(0) + ".key", made.value().key)};
    }
    /// For a client, which needs another purpose.
    CertificateFiles client_certificate(const std::string& name) const {
        const auto files = certificate({name});
        const auto certificate = read(files.chain);
        const BioHandle key_file{BIO_new_file(files.key.c_str(), "r")};
        const KeyHandle key{PEM_read_bio_PrivateKey(key_file.get(), nullptr, nullptr, nullptr)};
        const int purpose = X509_get_ext_by_NID(certificate.get(), NID_ext_key_usage, -1);
        X509_EXTENSION_free(X509_delete_ext(certificate.get(), purpose));
        X509_sign(certificate.get(), key.get(), EVP_sha256());
        const BioHandle out{BIO_new_file(files.chain.c_str(), "w")};
        PEM_write_bio_X509(out.get(), certificate.get());
        return files;
    }
    /// With a key of RSA.
    CertificateFiles rsa_certificate(const std::vector<std::string>& names) const {
        const KeyHandle key{EVP_RSA_gen(2048)};
        const auto files = certificate(names);
        const auto certificate = read(files.chain);
        X509_set_pubkey(certificate.get(), key.get());
        X509_sign(certificate.get(), key.get(), EVP_sha256());
        const std::string path = files.chain + ".rsa";
        const BioHandle out{BIO_new_file(path.c_str(), "w")};
        PEM_write_bio_X509(out.get(), certificate.get());
        PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        return {path, {}};
    }
    static CertificateHandle read(const std::string& path) {
        const BioHandle file{BIO_new_file(path.c_str(), "r")};
        return CertificateHandle{PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr)};
    }

    std::shared_ptr<const Context> context(Settings settings) const {
        return Context::make(settings, common).value();
    }
    std::shared_ptr<const Context> context() const {
        return context({.certificates = {certificate({"localhost"})}});
    }
    std::string refusal(const Settings& settings) const {
        const auto made = Context::make(settings, common);
        return made ? "it was taken" : made.error();
    }

    /// Both talk until neither has anything to say.
    static void talk(OpenSslClient& client, TlsDriver& server) {
        for (;;) {
            client.shake_hands();
            const std::string bytes = client.take();
            if (!bytes.empty() && http::reads(server.step())) server.receive(bytes);
            if (server.sent.empty() && bytes.empty()) return;
            client.give(std::exchange(server.sent, {}));
        }
    }

    std::filesystem::path folder;
    std::shared_ptr<Context::Common> common = std::make_shared<Context::Common>();
};

}  // namespace weir::tls

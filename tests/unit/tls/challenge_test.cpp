// The challenge tls-alpn-01: certificates for a CA that connects, from the files of a folder.

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <sys/stat.h>

#include <array>
#include <ctime>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tls/openssl/certificate_text.h"
#include "unit/tls/openssl_fixture.h"

namespace weir::tls {
namespace {

using http::Step;
using Digest = std::array<unsigned char, 32>;

const std::string challenge = on_the_wire({"acme-tls/1"});

Digest digest_of(unsigned char first) {
    Digest digest;
    for (unsigned char& byte : digest) byte = first++;
    return digest;
}

std::string made_for(const std::string& host, unsigned char first = 0) {
    return make_challenge(host, digest_of(first)).value();
}

CertificateHandle parsed(const std::string& pem) {
    const BioHandle file{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
    return CertificateHandle{PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr)};
}

KeyHandle key_in(const std::string& pem) {
    const BioHandle file{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
    return KeyHandle{PEM_read_bio_PrivateKey(file.get(), nullptr, nullptr, nullptr)};
}

std::string protocol_of(OpenSslClient& client) {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(client.ssl(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
}

/// The alert that ended a handshake for the client; 0 if there was none since ERR_clear_error(3).
int last_alert() {
    const int reason = ERR_GET_REASON(ERR_peek_last_error());
    return reason > SSL_AD_REASON_OFFSET ? reason - SSL_AD_REASON_OFFSET : 0;
}

class Challenges : public OpenSsl {
   protected:
    Challenges() {
        std::filesystem::create_directory(folder / "challenges");
        own = certificate({"localhost"});
    }
    Settings settings() const {
        return {.certificates = {own}, .challenges = folder / "challenges"};
    }
    void put(const std::string& name, const std::string& pem) const {
        write("challenges/" + name, pem);
    }
    /// True if the client gets the certificate of this text, the protocol of challenges, and no
    /// alert.
    static bool gets(const Context& from, const std::string& host, const std::string& pem) {
        TlsDriver server{http::hello, from.session()};
        OpenSslClient client{{.name = host, .protocols = challenge}};
        ERR_clear_error();
        talk(client, server);
        const X509* const shown = SSL_get0_peer_certificate(client.ssl());
        return client.read().empty() && last_alert() == 0 && protocol_of(client) == "acme-tls/1" &&
               shown && X509_cmp(shown, parsed(pem).get()) == 0;
    }
    /// Returns the alert by which the server refuses; 0 if there is none.
    static int alert_for(const Context& from, const std::string& host) {
        TlsDriver server{http::hello, from.session()};
        OpenSslClient client{{.name = host, .protocols = challenge}};
        ERR_clear_error();
        talk(client, server);
        EXPECT_EQ(server.inner_origin, nullptr);
        return last_alert();
    }

    CertificateFiles own;
};

// ---- handshakes that succeed ----

struct Handshake {
    int version;
    bool has_ecdsa, has_rsa;  // the server's own certificates
    const char* groups;       // of the client; the server has none for the first key share of P-521
};

void PrintTo(const Handshake& handshake, std::ostream* out) {
    *out << (handshake.version == TLS1_2_VERSION ? "1.2" : "1.3")
         << (handshake.has_ecdsa ? ", ECDSA" : "") << (handshake.has_rsa ? ", RSA" : "") << ", "
         << handshake.groups;
}

class ChallengeHandshakes : public Challenges, public testing::WithParamInterface<Handshake> {
   protected:
    std::shared_ptr<const Context> served() const {
        Settings all = settings();
        all.certificates.clear();
        for (const std::string name : {"first.test", "a.test"}) {
            if (GetParam().has_ecdsa) all.certificates.push_back(certificate({name}));
            if (GetParam().has_rsa) all.certificates.push_back(rsa_certificate({name}));
        }
        return context(all);
    }
};

TEST_P(ChallengeHandshakes, ShowTheCertificateAndEnd) {
    const std::string pem = made_for("a.test");
    put("a.test.pem", pem);
    const auto made = served();
    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{
        {.name = "A.Test", .protocols = challenge, .version_max = GetParam().version}};
    SSL_set1_groups_list(client.ssl(), GetParam().groups);
    talk(client, server);
    ASSERT_TRUE(SSL_is_init_finished(client.ssl()));
    EXPECT_EQ(SSL_version(client.ssl()), GetParam().version);
    EXPECT_EQ(protocol_of(client), "acme-tls/1");
    const X509* const shown = SSL_get0_peer_certificate(client.ssl());
    EXPECT_EQ(X509_cmp(shown, parsed(pem).get()), 0);

    client.write(get);
    talk(client, server);
    EXPECT_EQ(client.read(), "");
    EXPECT_TRUE(client.was_closed());
    EXPECT_TRUE(server.fin_sent());
    EXPECT_EQ(server.handled, 0);
    EXPECT_EQ(server.inner_origin, nullptr);
    EXPECT_EQ(server.step(), Step::drain);
    server.receive_end();
    EXPECT_EQ(server.step(), Step::close);
    EXPECT_EQ(SSL_SESSION_is_resumable(SSL_get_session(client.ssl())), 0) << "there is no ticket";
}

INSTANTIATE_TEST_SUITE_P(Tls, ChallengeHandshakes,
                         testing::Values(Handshake{TLS1_2_VERSION, true, false, "P-256"},
                                         Handshake{TLS1_2_VERSION, false, true, "P-256"},
                                         Handshake{TLS1_2_VERSION, true, true, "P-256"},
                                         Handshake{TLS1_3_VERSION, true, false, "X25519"},
                                         Handshake{TLS1_3_VERSION, false, true, "X25519"},
                                         Handshake{TLS1_3_VERSION, true, true, "X25519"},
                                         Handshake{TLS1_3_VERSION, true, true, "P-521:P-256"}));

TEST_F(Challenges, MayHaveAKeyOfRsa) {
    const auto files = rsa_certificate({"a.test"});
    std::filesystem::rename(files.chain, folder / "challenges/a.test.pem");
    const auto made = context(settings());
    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{{.name = "a.test", .protocols = challenge}};
    talk(client, server);
    ASSERT_TRUE(SSL_is_init_finished(client.ssl()));
    const X509* const shown = SSL_get0_peer_certificate(client.ssl());
    EXPECT_EQ(EVP_PKEY_get_base_id(X509_get0_pubkey(shown)), EVP_PKEY_RSA);
}

TEST_F(Challenges, AreReadAtEachHandshake) {
    const auto made = context(settings());
    EXPECT_EQ(alert_for(*made, "a.test"), SSL_AD_NO_APPLICATION_PROTOCOL);
    for (const auto first : {'a', 'b'}) {
        const std::string pem = made_for("a.test", static_cast<unsigned char>(first));
        put("a.test.pem", pem);
        EXPECT_TRUE(gets(*made, "a.test", pem));
    }
    std::filesystem::remove(folder / "challenges/a.test.pem");
    EXPECT_EQ(alert_for(*made, "a.test"), SSL_AD_NO_APPLICATION_PROTOCOL);
}

TEST_F(Challenges, StandInTheFileInEitherOrder) {
    const auto pair = make_self_signed({"b.test"}, 1).value();
    put("b.test.pem", pair.certificate + pair.key);
    put("c_d-1.test.pem", pair.key + pair.certificate);
    const auto made = context(settings());
    EXPECT_TRUE(gets(*made, "b.test", pair.certificate));
    EXPECT_TRUE(gets(*made, "c_d-1.test", pair.certificate));
}

TEST_F(Challenges, AskForNoCertificateOfTheClient) {
    const std::string pem = made_for("localhost");
    put("localhost.pem", pem);
    Settings strict = settings();
    strict.client_certificate = Settings::ClientCertificate::require;
    strict.client_ca = own.chain;
    const auto made = context(strict);
    EXPECT_TRUE(gets(*made, "localhost", pem));

    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{{}};
    talk(client, server);
    EXPECT_EQ(server.inner_origin, nullptr) << "others must show one as before";
}

TEST_F(Challenges, ResumeNoSession) {
    const std::string pem = made_for("localhost");
    put("localhost.pem", pem);
    const auto made = context(settings());
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        TlsDriver first_server{http::hello, made->session()};
        OpenSslClient first{{.version_max = version}};
        talk(first, first_server);
        first.write(get);
        talk(first, first_server);
        EXPECT_EQ(first.read(), http::hello_answer);
        ASSERT_EQ(SSL_SESSION_is_resumable(SSL_get_session(first.ssl())), 1);

        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.protocols = challenge, .version_max = version}};
        SSL_set_session(client.ssl(), SSL_get_session(first.ssl()));
        talk(client, server);
        ASSERT_TRUE(SSL_is_init_finished(client.ssl()));
        EXPECT_EQ(SSL_session_reused(client.ssl()), 0);
        const X509* const shown = SSL_get0_peer_certificate(client.ssl());
        EXPECT_EQ(X509_cmp(shown, parsed(pem).get()), 0);
    }
}

// ---- clients that ask for something else ----

TEST_F(Challenges, BesideAnotherProtocolAreNone) {
    put("localhost.pem", made_for("localhost"));
    const auto made = context(settings());
    for (const auto& offered : {on_the_wire({"acme-tls/1", "http/1.1"}),
                                on_the_wire({"http/1.1", "acme-tls/1"}), std::string{}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.protocols = offered}};
        talk(client, server);
        ASSERT_TRUE(SSL_is_init_finished(client.ssl()));
        EXPECT_EQ(protocol_of(client), offered.empty() ? "" : "http/1.1");
        const X509* const shown = SSL_get0_peer_certificate(client.ssl());
        EXPECT_EQ(X509_cmp(shown, read(own.chain).get()), 0);
        client.write(get);
        talk(client, server);
        EXPECT_EQ(client.read(), http::hello_answer);
    }
}

TEST_F(Challenges, NeedAName) {
    put(".pem", made_for("localhost"));
    EXPECT_EQ(alert_for(*context(settings()), ""), SSL_AD_NO_APPLICATION_PROTOCOL);
}

TEST_F(Challenges, AreOffWithoutAFolder) {
    put("localhost.pem", made_for("localhost"));
    EXPECT_EQ(alert_for(*context({.certificates = {own}}), "localhost"),
              SSL_AD_NO_APPLICATION_PROTOCOL);
}

/// RFC 8446 4.1.2: the second ClientHello differs from the first by its key share alone.
TEST_F(Challenges, DoNotTurnIntoHttpHalfWay) {
    put("localhost.pem", made_for("localhost"));
    const auto made = context(settings());
    const std::string other = on_the_wire({"http/1.1"});
    for (const auto& [first, second, alert] :
         {std::tuple{challenge, other, SSL_AD_ILLEGAL_PARAMETER},
          {other, challenge, 0},
          {challenge, challenge, 0}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.protocols = first}};
        SSL_set1_groups_list(client.ssl(), "P-521:P-256");
        ERR_clear_error();
        client.shake_hands();
        server.receive(client.take());
        client.give(std::exchange(server.sent, {}));
        SSL_set_alpn_protos(client.ssl(), reinterpret_cast<const unsigned char*>(second.data()),
                            static_cast<unsigned>(second.size()));
        talk(client, server);
        EXPECT_EQ(SSL_is_init_finished(client.ssl()), alert == 0);
        EXPECT_EQ(last_alert(), alert);
        EXPECT_EQ(server.inner_origin, nullptr);
    }
}

// ---- files that can't be used ----

struct BadFile {
    const char* what;
    const char* host;
    std::function<void(const std::filesystem::path& folder)> make;
};
void PrintTo(const BadFile& file, std::ostream* out) { *out << file.what; }

void write_to(const std::filesystem::path& path, std::string_view text) {
    std::ofstream{path, std::ios::binary} << text;
}

class BadFiles : public Challenges, public testing::WithParamInterface<BadFile> {};

TEST_P(BadFiles, AreRefused) {
    put("good.test.pem", made_for("good.test"));
    write("outside.pem", made_for("outside"));
    GetParam().make(folder / "challenges");
    const auto made = context(settings());
    EXPECT_EQ(alert_for(*made, GetParam().host), SSL_AD_NO_APPLICATION_PROTOCOL);
    EXPECT_EQ(alert_for(*made, "good.test"), 0) << "the next handshake";
}

const auto leave = [](const std::filesystem::path&) {};

INSTANTIATE_TEST_SUITE_P(
    Tls, BadFiles,
    testing::Values(
        BadFile{"rubbish", "a.test",
                [](const auto& folder) { write_to(folder / "a.test.pem", "rubbish"); }},
        BadFile{"empty", "a.test", [](const auto& folder) { write_to(folder / "a.test.pem", ""); }},
        BadFile{"certificate alone", "a.test",
                [](const auto& folder) {
                    write_to(folder / "a.test.pem", make_self_signed({"a"}, 1)->certificate);
                }},
        BadFile{"another key", "a.test",
                [](const auto& folder) {
                    write_to(folder / "a.test.pem", make_self_signed({"a"}, 1)->certificate +
                                                        make_self_signed({"a"}, 1)->key);
                }},
        BadFile{"long", "a.test",
                [](const auto& folder) {
                    write_to(folder / "a.test.pem",
                             std::string(std::size_t{1} << 20U, '\n') + made_for("a.test"));
                }},
        BadFile{
            "folder", "a.test",
            [](const auto& folder) { std::filesystem::create_directory(folder / "a.test.pem"); }},
        BadFile{"link", "a.test",
                [](const auto& folder) {
                    std::filesystem::create_symlink("good.test.pem", folder / "a.test.pem");
                }},
        BadFile{"pipe", "a.test",
                [](const auto& folder) {
                    ASSERT_EQ(::mkfifo((folder / "a.test.pem").c_str(), 0600), 0);
                }},
        BadFile{"the folder above", "../outside", leave},
        BadFile{"a folder within", "x/../good.test", leave},
        BadFile{"an absolute path", "/etc/passwd", leave}, BadFile{"two dots", "..", leave},
        BadFile{"hidden", ".hidden",
                [](const auto& folder) { write_to(folder / ".hidden.pem", made_for("hidden")); }},
        BadFile{"another character", "a b",
                [](const auto& folder) { write_to(folder / "a b.pem", made_for("a.b")); }}));

// ---- certificates that are made ----

TEST(MadeChallenge, HasOneNameAndTheDigest) {
    const std::string host = std::string(60, 'a') + ".test";  // longer than a common name may be
    const std::string pem = made_for(host, 0x10);
    const auto made = parsed(pem);
    ASSERT_TRUE(made);
    EXPECT_EQ(names_of(*made), std::vector<std::string>{host});
    EXPECT_EQ(X509_check_private_key(made.get(), key_in(pem).get()), 1);
    EXPECT_EQ(X509_verify(made.get(), X509_get0_pubkey(made.get())), 1) << "it is self-signed";

    ASN1_OBJECT* const kind = OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1);
    const int at = X509_get_ext_by_OBJ(made.get(), kind, -1);
    ASN1_OBJECT_free(kind);
    ASSERT_GE(at, 0);
    X509_EXTENSION* const extension = X509_get_ext(made.get(), at);
    EXPECT_EQ(X509_EXTENSION_get_critical(extension), 1);
    const ASN1_OCTET_STRING* const value = X509_EXTENSION_get_data(extension);
    std::string expected = "\x04\x20";  // DER: an OCTET STRING of 32 bytes
    for (const unsigned char byte : digest_of(0x10)) expected += static_cast<char>(byte);
    EXPECT_EQ((std::string{reinterpret_cast<const char*>(ASN1_STRING_get0_data(value)),
                           static_cast<std::size_t>(ASN1_STRING_length(value))}),
              expected);
}

TEST_F(Challenges, APlaceholderServesUntilTheCaHasAnswered) {
    const std::string pem = make_placeholder({"a.test", "b.test"}).value();
    EXPECT_EQ(names_of(*parsed(pem)), (std::vector<std::string>{"a.test", "b.test"}));
    const auto made = context({.certificates = {{write("placeholder.pem", pem)}}});
    EXPECT_TRUE(made->concerns(std::time(nullptr)).empty());
    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{{.name = "b.test"}};
    talk(client, server);
    client.write(get);
    talk(client, server);
    EXPECT_EQ(client.read(), http::hello_answer);
}

}  // namespace
}  // namespace weir::tls

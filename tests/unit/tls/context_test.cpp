// Context: which certificate a client gets, clients that have certificates, and staples.

#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "tls/openssl/certificate_text.h"
#include "unit/tls/openssl_fixture.h"
#include "weir/tls/tls.h"

namespace weir::tls {
namespace {

using ContextTest = OpenSsl;
using enum Settings::ClientCertificate;

std::string name_shown(OpenSslClient& client) {
    const X509* const shown = SSL_get0_peer_certificate(client.ssl());
    return shown ? names_of(*shown).at(0) : "none";
}

TEST_F(ContextTest, TheNameChoosesTheCertificate) {
    const auto made =
        context({.certificates = {certificate({"first.test"}), certificate({"*.second.test"}),
                                  certificate({"third.test", "a.second.test"})}});
    for (const auto& [asked, shown] : {std::pair{"first.test", "first.test"},
                                       {"B.Second.test", "*.second.test"},
                                       {"a.second.test", "third.test"},
                                       {"x.y.second.test", "first.test"},
                                       {"nobody.test", "first.test"}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.name = asked}};
        talk(client, server);
        ASSERT_TRUE(SSL_is_init_finished(client.ssl())) << asked;
        EXPECT_EQ(name_shown(client), shown) << asked;
    }
}

TEST_F(ContextTest, KeysOfTwoKindsStandBesideEachOther) {
    const auto made = context({.certificates = {certificate({"a.test", "b.test"}),
                                                rsa_certificate({"a.test", "b.test"})}});
    for (const auto& [algorithms, kind] :
         {std::pair{"ECDSA+SHA256", EVP_PKEY_EC}, {"rsa_pss_rsae_sha256", EVP_PKEY_RSA}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.name = "b.test"}};
        SSL_set1_sigalgs_list(client.ssl(), algorithms);
        talk(client, server);
        ASSERT_TRUE(SSL_is_init_finished(client.ssl())) << algorithms;
        X509* const shown = SSL_get0_peer_certificate(client.ssl());
        EXPECT_EQ(EVP_PKEY_get_base_id(X509_get0_pubkey(shown)), kind);
    }
}

TEST_F(ContextTest, AFolderHasSeveral) {
    std::filesystem::create_directory(folder / "live");
    std::filesystem::create_directory(folder / "live/b.test");
    const auto one = make_self_signed({"a.test"}, 1).value();
    const auto other = make_self_signed({"b.test"}, 1).value();
    write("live/a.crt", one.certificate);
    write("live/a.key", one.key);
    write("live/a.issuer.crt", one.certificate);  // lego's, without a key
    write("live/b.test/fullchain.pem", other.certificate);
    write("live/b.test/privkey.pem", other.key);
    const auto made = context({.certificates = {{(folder / "live").string()}}});
    EXPECT_TRUE(made->text().contains("a.test (until ")) << made->text();
    EXPECT_TRUE(made->text().contains("; b.test (until ")) << made->text();

    std::filesystem::create_directory(folder / "empty");
    EXPECT_TRUE(refusal({.certificates = {{(folder / "empty").string()}}})
                    .contains("has no certificate with its key"));
}

/// A link that leads nowhere else stands for one into a folder of root's alone: root reads that.
TEST_F(ContextTest, AFileOfAFolderThatCannotBeReadIsNamed) {
    std::filesystem::create_directories(folder / "live/a.test");
    const auto link = folder / "live/a.test/fullchain.pem";
    std::filesystem::create_symlink(link, link);
    EXPECT_EQ(refusal({.certificates = {{(folder / "live").string()}}}),
              "cannot read " + link.string() + ": Too many levels of symbolic links");
}

TEST_F(ContextTest, AFileThatIsWrongIsNamed) {
    const auto one = certificate({"one.test"}), other = certificate({"other.test"});
    EXPECT_EQ(refusal({.certificates = {{"/nowhere.pem", "/nowhere.key"}}}),
              "cannot read /nowhere.pem: No such file or directory");
    EXPECT_TRUE(refusal({.certificates = {{one.chain, other.key}}}).starts_with(other.key));
    EXPECT_TRUE(refusal({.certificates = {{one.key, one.key}}}).starts_with(one.key));
    EXPECT_TRUE(refusal({.certificates = {one}, .client_certificate = ask, .client_ca = one.key})
                    .starts_with(one.key));
    EXPECT_EQ(refusal({.certificates = {one}, .tickets = "/nowhere"}),
              "cannot read /nowhere: No such file or directory");
    const auto short_secret = write("secret", "short");
    EXPECT_TRUE(
        refusal({.certificates = {one}, .tickets = short_secret}).starts_with(short_secret));
    EXPECT_TRUE(refusal({.certificates = {one}, .staples = {one.chain}}).starts_with(one.chain));
    EXPECT_EQ(refusal({}), "there is no certificate");
}

// ---- clients with certificates ----

struct Client {
    Settings::ClientCertificate wanted;
    bool has_one;
    bool has_a_known_one;
    bool is_served;
};

class Clients : public OpenSsl, public testing::WithParamInterface<Client> {};

TEST_P(Clients, AreServedWhereTheyMayBe) {
    const auto known = client_certificate("ada.test");
    const auto unknown = client_certificate("eve.test");
    const auto made = context({.certificates = {certificate({"localhost"})},
                               .client_certificate = GetParam().wanted,
                               .client_ca = known.chain});
    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{{}};
    const auto& shown = GetParam().has_a_known_one ? known : unknown;
    if (GetParam().has_one) client.show(shown.chain, shown.key);
    talk(client, server);
    client.write(get);
    talk(client, server);
    EXPECT_EQ(client.read() == http::hello_answer, GetParam().is_served);
    if (!GetParam().is_served) return;
    ASSERT_TRUE(server.inner_origin);
    const auto security = server.inner_origin->security().value();
    EXPECT_EQ(security.version, "TLSv1.3");
    EXPECT_EQ(security.server_name, "localhost");
    if (GetParam().has_one && GetParam().wanted != off) {
        EXPECT_EQ(security.client_subject, subject_of(*read(known.chain)));
        EXPECT_EQ(security.client_fingerprint, fingerprint_of(*read(known.chain)));
    } else {
        EXPECT_TRUE(security.client_subject.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Tls, Clients,
    testing::Values(Client{off, true, false, true}, Client{ask, false, false, true},
                    Client{ask, true, true, true}, Client{ask, true, false, false},
                    Client{require, false, false, false}, Client{require, true, true, true},
                    Client{require, true, false, false}));

// ---- staples ----

using Basic = std::unique_ptr<OCSP_BASICRESP, Release<OCSP_BASICRESP_free>>;

/// What a CA says of a certificate that is its own issuer.
std::string response_for(const CertificateFiles& files, X509& certificate, long seconds_valid) {
    const BioHandle file{BIO_new_file(files.key.c_str(), "r")};
    const KeyHandle key{PEM_read_bio_PrivateKey(file.get(), nullptr, nullptr, nullptr)};
    const Basic basic{OCSP_BASICRESP_new()};
    OCSP_CERTID* const id = OCSP_cert_to_id(nullptr, &certificate, &certificate);
    ASN1_TIME* const now = X509_gmtime_adj(nullptr, -60);
    ASN1_TIME* const next = X509_gmtime_adj(nullptr, seconds_valid);
    OCSP_basic_add1_status(basic.get(), id, V_OCSP_CERTSTATUS_GOOD, 0, nullptr, now, next);
    OCSP_basic_sign(basic.get(), &certificate, key.get(), EVP_sha256(), nullptr, 0);
    OCSP_RESPONSE* const response =
        OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic.get());
    unsigned char* bytes = nullptr;
    const int size = i2d_OCSP_RESPONSE(response, &bytes);
    std::string out{reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size)};
    OPENSSL_free(bytes);
    OCSP_RESPONSE_free(response);
    OCSP_CERTID_free(id);
    ASN1_TIME_free(now);
    ASN1_TIME_free(next);
    return out;
}

TEST_F(ContextTest, AStapleIsSentWithItsCertificateWhileItIsValid) {
    const auto first = certificate({"first.test"}), other = certificate({"other.test"});
    const auto response = response_for(first, *read(first.chain), 3'600);
    const auto stale = response_for(other, *read(other.chain), -1);
    const auto made =
        context({.certificates = {first, other},
                 .staples = {write("stale.der", stale), write("first.der", response)}});
    for (const auto& [asked, expected] :
         {std::pair{std::string{"first.test"}, response}, {"other.test", std::string{}}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.name = asked}};
        SSL_set_tlsext_status_type(client.ssl(), TLSEXT_STATUSTYPE_ocsp);
        talk(client, server);
        ASSERT_TRUE(SSL_is_init_finished(client.ssl()));
        const unsigned char* bytes = nullptr;
        const long size = SSL_get_tlsext_status_ocsp_resp(client.ssl(), &bytes);
        const std::string got{reinterpret_cast<const char*>(bytes),
                              static_cast<std::size_t>(std::max(size, 0L))};
        EXPECT_EQ(got, expected) << asked;
    }
}

TEST(Library, HasItsNameAndVersion) {
    EXPECT_TRUE(library().starts_with("OpenSSL " + std::to_string(::OPENSSL_version_major()) + '.'))
        << library();
}

}  // namespace
}  // namespace weir::tls

// OpenSslSession and Context, with a client of OpenSSL's: all in memory.

#include <gtest/gtest.h>
#include <openssl/x509v3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "support/pattern.h"
#include "tls/openssl/context.h"
#include "tls/openssl/self_signed.h"
#include "unit/tls/openssl_client.h"
#include "unit/tls/tls_driver.h"

namespace weir::tls {
namespace {

using http::Step;

const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

class OpenSsl : public testing::Test {
   protected:
    OpenSsl() {
        std::string pattern = (std::filesystem::temp_directory_path() / "weir-tls-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~OpenSsl() override { std::filesystem::remove_all(folder_); }

    CertificateFiles certificate(const std::vector<std::string>& names) {
        const auto made = make_self_signed(names, 1);
        const std::string path = folder_ / names.at(0);
        std::ofstream{path + ".pem"} << made.value().certificate;
        std::ofstream{path + ".key"} << made.value().key;
        return {path + ".pem", path + ".key"};
    }
    Context context() {
        return Context::make({{certificate({"localhost"})}, {"http/1.1"}}).value();
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

    std::filesystem::path folder_;
};

class Versions : public OpenSsl, public testing::WithParamInterface<int> {};

TEST_P(Versions, AnswersARequest) {
    const Context made = context();
    TlsDriver server{http::hello, made.session()};
    OpenSslClient client{{.version_max = GetParam()}};
    talk(client, server);
    ASSERT_TRUE(SSL_is_init_finished(client.ssl()));
    EXPECT_EQ(SSL_version(client.ssl()), GetParam());
    for (int i = 0; i < 3; ++i) {
        client.write(get);
        talk(client, server);
        EXPECT_EQ(client.read(), http::hello_answer);
    }
    client.write("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    talk(client, server);
    EXPECT_TRUE(client.read().ends_with("hello"));
    EXPECT_TRUE(client.was_closed());
}

INSTANTIATE_TEST_SUITE_P(Tls, Versions, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION));

TEST_F(OpenSsl, OlderVersionsAreRefused) {
    const Context made = context();
    TlsDriver server{http::hello, made.session()};
    OpenSslClient client{{.version_max = TLS1_1_VERSION}};
    talk(client, server);
    EXPECT_FALSE(SSL_is_init_finished(client.ssl()));
    EXPECT_EQ(server.step(), Step::close);
}

TEST_F(OpenSsl, LargeAnswersArriveWhole) {
    const Context made = context();
    TlsDriver server{[](const http::Request&) -> http::Reply {
                         http::Response response;
                         response.content(tests::pattern(0, 500'000));
                         return response;
                     },
                     made.session()};
    server.settles = true;
    server.send_max = 10'007;
    OpenSslClient client{{}};
    talk(client, server);
    client.write(get);
    talk(client, server);
    EXPECT_TRUE(client.read().ends_with(tests::pattern(0, 500'000)));
}

TEST_F(OpenSsl, ByteByByte) {
    const Context made = context();
    TlsDriver server{http::hello, made.session()};
    OpenSslClient client{{}};
    bool has_asked = false;
    for (int quiet = 0; quiet < 3;) {
        if (client.shake_hands() && !std::exchange(has_asked, true)) client.write(get);
        const std::string bytes = client.take();
        for (const char byte : bytes) server.receive({&byte, 1});
        quiet = bytes.empty() && server.sent.empty() ? quiet + 1 : 0;
        client.give(std::exchange(server.sent, {}));
    }
    EXPECT_EQ(client.read(), http::hello_answer);
}

TEST_F(OpenSsl, AlpnChoosesWhatBothKnow) {
    const Context made = Context::make({{certificate({"localhost"})}, {"h2", "http/1.1"}}).value();
    for (const auto& [offered, chosen] :
         {std::pair{"\x08http/1.1\x02h2", "h2"}, {"\x08http/1.1", "http/1.1"}, {"", ""}}) {
        TlsDriver server{http::hello, made.session()};
        OpenSslClient client{{.protocols = offered}};
        talk(client, server);
        EXPECT_EQ(server.protocol, chosen);
        EXPECT_TRUE(SSL_is_init_finished(client.ssl()));
    }
    TlsDriver server{http::hello, made.session()};
    OpenSslClient client{{.protocols = "\x02h3"}};
    talk(client, server);
    EXPECT_FALSE(SSL_is_init_finished(client.ssl()));
}

TEST_F(OpenSsl, TheNameChoosesTheCertificate) {
    const Context made =
        Context::make({{certificate({"first.test"}), certificate({"*.second.test"}),
                        certificate({"third.test", "a.second.test"})},
                       {"http/1.1"}})
            .value();
    for (const auto& [asked, shown_is_for] : {std::pair{"first.test", "first.test"},
                                              {"B.Second.test", "any.second.test"},
                                              {"a.second.test", "third.test"},
                                              {"x.y.second.test", "first.test"},
                                              {"nobody.test", "first.test"}}) {
        TlsDriver server{http::hello, made.session()};
        OpenSslClient client{{.name = asked}};
        talk(client, server);
        ASSERT_TRUE(SSL_is_init_finished(client.ssl())) << asked;
        X509* const shown = SSL_get0_peer_certificate(client.ssl());
        EXPECT_EQ(X509_check_host(shown, shown_is_for, 0, 0, nullptr), 1) << asked;
    }
}

TEST_F(OpenSsl, AFileThatIsWrongIsNamed) {
    const auto missing = Context::make({{{"/nowhere.pem", "/nowhere.key"}}, {"http/1.1"}});
    ASSERT_FALSE(missing);
    EXPECT_TRUE(missing.error().contains("/nowhere.pem"));
    const auto one = certificate({"one.test"}), other = certificate({"other.test"});
    const auto mixed = Context::make({{{one.chain, other.key}}, {"http/1.1"}});
    ASSERT_FALSE(mixed);
    EXPECT_TRUE(mixed.error().contains(other.key));
}

TEST_F(OpenSsl, ManyKeyUpdatesEndTheConnection) {
    const Context made = context();
    TlsDriver server{http::hello, made.session()};
    OpenSslClient client{{}};
    talk(client, server);
    int updates = 0;
    for (; updates < 1'000 && server.step() != Step::close; ++updates) {
        SSL_key_update(client.ssl(), SSL_KEY_UPDATE_REQUESTED);
        talk(client, server);
    }
    EXPECT_GT(updates, 90);
    EXPECT_LT(updates, 110);
}

}  // namespace
}  // namespace weir::tls

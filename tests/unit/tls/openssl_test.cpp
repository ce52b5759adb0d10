// OpenSslSession, with a client of OpenSSL's: all in memory.

#include <gtest/gtest.h>

#include <string>

#include "support/pattern.h"
#include "unit/tls/openssl_fixture.h"

namespace weir::tls {
namespace {

using http::Step;

class Versions : public OpenSsl, public testing::WithParamInterface<int> {};

TEST_P(Versions, AnswersARequest) {
    const auto made = context();
    TlsDriver server{http::hello, made->session()};
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
    const auto made = context();
    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{{.version_max = TLS1_1_VERSION}};
    talk(client, server);
    EXPECT_FALSE(SSL_is_init_finished(client.ssl()));
    EXPECT_EQ(server.step(), Step::drain);  // after the alert
}

TEST_F(OpenSsl, TheCheapestCipherComesFirstUnlessTheClientHasNoAes) {
    const auto made = context();
    for (const auto& [offered, chosen] :
         {std::pair{"TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_AES_128_GCM_SHA256"},
          {"TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
           "TLS_CHACHA20_POLY1305_SHA256"}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{}};
        SSL_set_ciphersuites(client.ssl(), offered);
        talk(client, server);
        EXPECT_STREQ(SSL_get_cipher_name(client.ssl()), chosen);
    }
}

TEST_F(OpenSsl, LargeAnswersArriveWhole) {
    const auto made = context();
    TlsDriver server{[](const http::Request&) -> http::Reply {
                         http::Response response;
                         response.content(tests::pattern(0, 500'000));
                         return response;
                     },
                     made->session()};
    server.settles = true;
    server.send_max = 10'007;
    OpenSslClient client{{}};
    talk(client, server);
    client.write(get);
    talk(client, server);
    EXPECT_TRUE(client.read().ends_with(tests::pattern(0, 500'000)));
}

TEST_F(OpenSsl, ByteByByte) {
    const auto made = context();
    TlsDriver server{http::hello, made->session()};
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
    common->protocols = on_the_wire({"h2", "http/1.1"});
    const auto made = context();
    for (const auto& [offered, chosen] :
         {std::pair{"\x08http/1.1\x02h2", "h2"}, {"\x08http/1.1", "http/1.1"}, {"", ""}}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.protocols = offered}};
        talk(client, server);
        EXPECT_EQ(server.protocol, chosen);
        EXPECT_TRUE(SSL_is_init_finished(client.ssl()));
    }
    TlsDriver server{http::hello, made->session()};
    OpenSslClient client{{.protocols = "\x02h3"}};
    talk(client, server);
    EXPECT_FALSE(SSL_is_init_finished(client.ssl()));
}

TEST_F(OpenSsl, ManyKeyUpdatesEndTheConnection) {
    const auto made = context();
    TlsDriver server{http::hello, made->session()};
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

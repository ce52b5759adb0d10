// TicketKeys, and sessions that are resumed.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "unit/tls/openssl_fixture.h"

namespace weir::tls {
namespace {

class Tickets : public OpenSsl, public testing::WithParamInterface<int> {
   protected:
    /// A connection, resumed by `session` where that is not null. Returns the ticket of the next.
    SSL_SESSION* connect(const Context& to, SSL_SESSION* session, bool& was_resumed) {
        TlsDriver server{http::hello, to.session()};
        OpenSslClient client{{.version_max = GetParam()}};
        if (session) SSL_set_session(client.ssl(), session);
        talk(client, server);
        client.write(get);
        talk(client, server);
        EXPECT_EQ(client.read(), http::hello_answer);
        was_resumed = SSL_session_reused(client.ssl()) == 1;
        EXPECT_EQ(server.inner_origin->security()->is_resumed, was_resumed);
        SSL_set_shutdown(client.ssl(), SSL_SENT_SHUTDOWN);  // else OpenSSL gives the session up
        return SSL_get1_session(client.ssl());
    }
    bool resumes(const Context& first, const Context& second) {
        bool was_resumed = false;
        SSL_SESSION* const session = connect(first, nullptr, was_resumed);
        EXPECT_FALSE(was_resumed);
        SSL_SESSION* const next = connect(second, session, was_resumed);
        SSL_SESSION_free(session);
        SSL_SESSION_free(next);
        return was_resumed;
    }
};

TEST_P(Tickets, OpenAlsoAfterTheCertificatesWereReadAgain) {
    EXPECT_TRUE(resumes(*context(), *context()));
}

TEST_P(Tickets, OpenAtAllWhoHaveTheSecret) {
    const Settings settings{.certificates = {certificate({"localhost"})},
                            .tickets = write("secret", std::string(32, 's'))};
    const auto first = context(settings);
    common = std::make_shared<Context::Common>();  // another machine
    common->protocols = on_the_wire({"http/1.1"});
    EXPECT_TRUE(resumes(*first, *context(settings)));
    write("secret", std::string(32, 't'));
    EXPECT_FALSE(resumes(*first, *context(settings)));
}

TEST_P(Tickets, OpenAtASuccessorThatWasGivenTheSecret) {
    const std::string secret(32, 's');
    common->tickets = TicketKeys::of(secret);
    const auto first = context();
    common = std::make_shared<Context::Common>();
    common->protocols = on_the_wire({"http/1.1"});
    common->tickets = TicketKeys::of(secret);
    EXPECT_TRUE(resumes(*first, *context()));
}

TEST_P(Tickets, NeedASecretThatIsLongEnough) {
    const auto opened =
        open({.certificates = {certificate({"localhost"})}, .ticket_secret = "short"});
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error(), "the secret of session tickets has less than 32 bytes");
    EXPECT_TRUE(
        open({.certificates = {certificate({"localhost"})}, .ticket_secret = std::string(32, 's')})
            .has_value());
}

TEST_P(Tickets, OfAnotherProcessAreNotOpened) {
    const auto first = context();
    common = std::make_shared<Context::Common>();
    common->protocols = on_the_wire({"http/1.1"});
    EXPECT_FALSE(resumes(*first, *context()));
}

/// What a client would offer with its next connection.
std::string ticket_of(const SSL_SESSION* session) {
    const unsigned char* bytes = nullptr;
    std::size_t size = 0;
    SSL_SESSION_get0_ticket(session, &bytes, &size);
    return {reinterpret_cast<const char*>(bytes), size};
}

TEST_P(Tickets, OfTls13AreNewForEachConnection) {
    bool was_resumed = false;
    const auto server = context();
    SSL_SESSION* const first = connect(*server, nullptr, was_resumed);
    SSL_SESSION* const second = connect(*server, first, was_resumed);
    EXPECT_TRUE(was_resumed);
    EXPECT_EQ(ticket_of(first) != ticket_of(second), GetParam() == TLS1_3_VERSION);
    SSL_SESSION_free(first);
    SSL_SESSION_free(second);
}

INSTANTIATE_TEST_SUITE_P(Tls, Tickets, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION));

// ---- the keys, at any time ----

constexpr std::int64_t period = TicketKeys::period_seconds;
constexpr std::int64_t made_at = 1'795'000'000 / period * period + period / 2;

/// What decrypt() says at a time of a ticket of `made_at`.
int opened_at(std::int64_t unix_seconds) {
    const TicketKeys keys = TicketKeys::random();
    std::array<unsigned char, 16> name{};
    std::array<unsigned char, EVP_MAX_IV_LENGTH> iv{};
    EVP_CIPHER_CTX* const cipher = EVP_CIPHER_CTX_new();
    EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    EVP_MAC_CTX* const mac = EVP_MAC_CTX_new(hmac);
    EXPECT_EQ(keys.encrypt(name.data(), iv.data(), cipher, mac, made_at), 1);
    const int result = keys.decrypt(name.data(), iv.data(), cipher, mac, unix_seconds);
    EVP_MAC_CTX_free(mac);
    EVP_MAC_free(hmac);
    EVP_CIPHER_CTX_free(cipher);
    return result;
}

TEST(TicketKeys, AreUsedForAPeriodAndOpenForTwo) {
    EXPECT_EQ(opened_at(made_at), 1);
    EXPECT_EQ(opened_at(made_at + period / 4), 1);
    EXPECT_EQ(opened_at(made_at + period), 2);  // and a new ticket is due
    EXPECT_EQ(opened_at(made_at - period), 2);  // by a clock that is behind
    EXPECT_EQ(opened_at(made_at + 2 * period), 0);
    EXPECT_EQ(opened_at(made_at - 2 * period), 0);
}

}  // namespace
}  // namespace weir::tls

// TlsConnection: the handshake, and requests that come through it.

#include <gtest/gtest.h>

#include <string>

#include "http/http2/http2_connection.h"
#include "support/http2_frames.h"
#include "support/pattern.h"
#include "unit/tls/tls_driver.h"

namespace weir::tls {
namespace {

using namespace std::chrono_literals;
using http::Step;

const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(TlsConnection, AnswersThroughTheHandshake) {
    TlsDriver driver{http::hello};
    EXPECT_EQ(driver.step(), Step::receive);
    driver.shake_hands("http/1.1");
    EXPECT_EQ(driver.protocol, "http/1.1");
    driver.receive(fake::data(get));
    EXPECT_EQ(driver.decoded(), "[h][h]" + http::hello_answer);
    EXPECT_EQ(driver.step(), Step::receive);
    ASSERT_EQ(driver.seen.size(), 1u);
    EXPECT_EQ(driver.seen[0].outcome, http::Outcome::sent);
}

TEST(TlsConnection, AFirstRequestMayComeWithTheEndOfTheHandshake) {
    TlsDriver driver{http::hello};
    driver.receive(fake::hello("http/1.1"));
    driver.receive(fake::finished() + fake::data(get));
    EXPECT_EQ(driver.decoded(), "[h][h]" + http::hello_answer);
    EXPECT_EQ(driver.flushes.size(), 2u);  // the ticket rides with the answer
}

http::Reply echo(const http::Request& request) {
    if (request.content_pending()) return http::ReadContent{};
    http::Response response;
    response.content(std::string{request.content()});
    return response;
}

class Pieces : public testing::TestWithParam<bool> {};

TEST_P(Pieces, OfAnySizeMakeNoDifference) {
    const std::string post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
    const std::string all = fake::hello("http/1.1") + fake::finished() +
                            fake::data(get.substr(0, 7)) + fake::data(get.substr(7)) +
                            fake::update() + fake::data(get + post) + fake::data("12345") +
                            fake::data(get);
    TlsDriver whole{echo};
    whole.settles = GetParam();
    whole.receive(all);
    ASSERT_EQ(whole.handled, 5);
    for (std::size_t at = 1; at < all.size(); ++at) {
        TlsDriver split{echo};
        split.settles = GetParam();
        split.receive(std::string_view{all}.substr(0, at));
        split.receive(std::string_view{all}.substr(at));
        ASSERT_EQ(split.handled, 5) << at;
        ASSERT_EQ(split.decoded().size(), whole.decoded().size()) << at;
    }
    TlsDriver bytes{echo};
    bytes.settles = GetParam();
    for (const char byte : all) bytes.receive({&byte, 1});
    EXPECT_EQ(bytes.handled, 5);
}

INSTANTIATE_TEST_SUITE_P(Settling, Pieces, testing::Bool());

TEST(TlsConnection, AFlightLargerThanTheBufferGoesOutInParts) {
    constexpr std::size_t flight_bytes = 200'000;
    TlsDriver driver{http::hello, flight_bytes};
    driver.shake_hands();
    driver.receive(fake::data(get));
    EXPECT_TRUE(driver.decoded().ends_with("[h]" + http::hello_answer));
    EXPECT_GT(driver.sent.size(), flight_bytes);
}

TEST(TlsConnection, AHandshakeHasItsTime) {
    TlsDriver driver{http::hello};
    driver.pass(5s);
    driver.receive(fake::hello("http/1.1"));
    EXPECT_EQ(driver.connection->close_impact(), http::CloseImpact::unfinished);
    driver.pass(5s);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(TlsConnection, WhatIsNoHandshakeGetsAnAlert) {
    TlsDriver driver{http::hello};
    driver.receive(fake::data(get));
    EXPECT_EQ(driver.decoded(), "[a]");
    EXPECT_TRUE(driver.fin_sent());
    EXPECT_EQ(driver.step(), Step::drain);
}

TEST(TlsConnection, AStopGivesAHandshakeALittleTime) {
    TlsDriver driver{http::hello};
    driver.connection->retire(driver.now);
    driver.shake_hands();
    driver.receive(fake::data(get));
    EXPECT_TRUE(driver.decoded().contains("Connection: close"));

    TlsDriver silent{http::hello};
    silent.connection->retire(silent.now);
    silent.pass(1s);
    EXPECT_EQ(silent.step(), Step::close);
}

TEST(TlsConnection, AtRestItGivesBackItsBuffers) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.send_max = 0;
    const int before = driver.fake_session->releases;
    driver.receive(fake::data(get));
    EXPECT_EQ(driver.fake_session->releases, before);
    driver.send_max = ~std::size_t{0};
    driver.drive();
    EXPECT_EQ(driver.fake_session->releases, before + 1);
}

/// An engine whose send completes later: the batch is settled, and the protocol inside reads.
TEST(TlsConnection, WhatTheSessionSaysWhileABatchIsSentComesAfterIt) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.receive(fake::data(get));
    driver.sent.clear();
    driver.send_max = 0;
    driver.receive(fake::update());
    ASSERT_EQ(driver.step(), Step::exchange);
    driver.take_ownership();
    const std::string first{driver.connection->transmit().parts[0]};
    driver.receive(fake::update() + fake::data(get));
    EXPECT_EQ(driver.connection->transmit().parts[0], first);
    driver.send_max = 1 << 20;
    driver.drive();
    EXPECT_EQ(driver.decoded(), "[u][u]" + http::hello_answer);
}

/// An engine with a pool may lose the peer while a handler runs on another thread.
TEST(TlsConnection, ARequestThatIsSharedOutlivesIt) {
    std::shared_ptr<const http::Request> request;
    TlsDriver driver{[&](const http::Request& asked) -> http::Reply {
        request = asked.share();
        return http::Later{};
    }};
    driver.shake_hands();
    driver.receive(fake::data(get));
    driver.connection->fail(http::Outcome::peer_gone, driver.now);
    driver.connection.reset();
    ASSERT_TRUE(request);
    std::string address;
    request->origin().append_address(address);
    EXPECT_EQ(address, "192.0.2.7");
    EXPECT_EQ(request->origin().security().value().server_name, "http/1.1");  // as the fake says it
    request->defer().respond(http::Response{});
}

/// What is read while a request waits for its handler, and what comes with it, is not lost.
TEST(TlsConnection, AProtocolWithSeveralRequestsReadsOn) {
    TlsDriver driver{[](const http::Request&) -> http::Reply { return http::Later{}; }};
    driver.factories.protocol = [](std::string_view, http::Workspace& of, http::Origin& origin,
                                   Now at) {
        return std::make_unique<http::Http2Connection>(of, origin, at);
    };
    driver.shake_hands();
    const auto request = [](tests::http2::StreamId stream) {
        return fake::data(tests::http2::get(stream, "/a"));
    };
    driver.receive(fake::data(tests::http2::hello()) + request(1) + request(3) + request(5));
    EXPECT_EQ(driver.handled, 3);
    const auto fourth = request(7);
    driver.receive(fourth.substr(0, 5));
    driver.receive(fourth.substr(5) + request(9));
    EXPECT_EQ(driver.handled, 5);
}

}  // namespace
}  // namespace weir::tls

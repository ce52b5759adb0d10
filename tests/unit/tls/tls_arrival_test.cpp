// TlsConnection before its session: the limiter, and clients that speak HTTP.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/troubles.h"
#include "tls/connection/handshake_limiter.h"
#include "unit/tls/tls_driver.h"

namespace weir::tls {
namespace {

using namespace std::chrono_literals;
using http::Step;

TEST(Arrival, NoSessionIsMadeBeforeTheFirstByte) {
    TlsDriver driver{http::hello};
    EXPECT_FALSE(driver.has_made_session());
    driver.receive("h");  // of a record
    EXPECT_TRUE(driver.has_made_session());
}

TEST(Arrival, HttpIsAnsweredInHttp) {
    TlsDriver driver{http::hello};
    driver.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(driver.sent.starts_with("HTTP/1.1 400 Bad Request\r\n")) << driver.sent;
    const auto content = driver.sent.substr(driver.sent.find("\r\n\r\n") + 4);
    EXPECT_TRUE(content.contains("https://"));
    EXPECT_TRUE(driver.sent.contains("Content-Length: " + std::to_string(content.size()) + "\r\n"));
    EXPECT_TRUE(driver.fin_sent());
    EXPECT_FALSE(driver.has_made_session());

    EXPECT_EQ(driver.step(), Step::drain);  // so that no reset destroys the answer
    driver.receive("and more");
    driver.receive_end();
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(Arrival, OneWhoStaysAfterwardsIsClosed) {
    TlsDriver driver{http::hello};
    driver.receive("GET / HTTP/1.1\r\n");
    driver.pass(1s);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(Arrival, SilenceAndHalfAHandshakeEnd) {
    TlsDriver silent{http::hello};
    silent.pass(10s);
    EXPECT_EQ(silent.step(), Step::close);
    TlsDriver half{http::hello};
    half.pass(5s);
    half.receive(fake::hello("http/1.1"));
    half.pass(5s);
    EXPECT_EQ(half.step(), Step::close);
}

constexpr unsigned many = 512;

TEST(Gate, LetsSoManyInEachTurn) {
    HandshakeLimiter limiter;
    const Instant now{1s};
    std::vector<HandshakeLimiter::Permit> places;
    for (unsigned i = 0; i < HandshakeLimiter::per_turn_max; ++i)
        EXPECT_TRUE(places.emplace_back(limiter.enter(now, many)));
    EXPECT_FALSE(limiter.enter(now, many));
    EXPECT_FALSE(limiter.is_full(many));
    EXPECT_TRUE(limiter.enter(now + HandshakeLimiter::turn, many));
}

TEST(Gate, LetsSoManyInAtAll) {
    HandshakeLimiter limiter;
    Instant now{1s};
    std::vector<HandshakeLimiter::Permit> places;
    while (places.size() < many)
        if (auto place = limiter.enter(now, many))
            places.push_back(std::move(place));
        else
            now += HandshakeLimiter::turn;
    now += HandshakeLimiter::turn;
    EXPECT_FALSE(limiter.enter(now, many));
    EXPECT_TRUE(limiter.is_full(many));
    places.pop_back();
    EXPECT_TRUE(limiter.enter(now, many));
}

class AtTheGate : public testing::Test {
   protected:
    AtTheGate() {
        for (unsigned i = 0; i < HandshakeLimiter::per_turn_max; ++i)
            others.push_back(driver.buffers().limiter.enter(driver.now.instant, many));
    }

    TlsDriver driver{http::hello};
    std::vector<HandshakeLimiter::Permit> others;
};

TEST_F(AtTheGate, OneWaitsForTheNextTurn) {
    driver.receive(fake::hello("http/1.1"));
    EXPECT_EQ(driver.step(), Step::wait);
    EXPECT_FALSE(driver.has_made_session());
    EXPECT_EQ(driver.connection->deadline(), driver.now.instant + 1ms);
    driver.pass(1ms);
    EXPECT_TRUE(driver.has_made_session());
    driver.receive(fake::finished());
    driver.receive(fake::data("GET /a HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_TRUE(driver.decoded().ends_with("hello"));
}

TEST_F(AtTheGate, NobodyWaitsLongerThanAHandshakeMayTake) {
    driver.factories.handshakes_max = HandshakeLimiter::per_turn_max;
    driver.receive(fake::hello("http/1.1"));
    for (int i = 0; i < 499; ++i) driver.pass(HandshakeLimiter::pause);
    EXPECT_EQ(driver.step(), Step::wait);
    driver.pass(HandshakeLimiter::pause);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST_F(AtTheGate, EachThatWaitsForAPlaceIsTroubleOnce) {
    const auto before = troubles().count(Trouble::handshakes);
    driver.receive(fake::hello("http/1.1"));  // it waits for the turn alone
    EXPECT_EQ(troubles().count(Trouble::handshakes), before);

    TlsDriver held_up{http::hello};
    auto& limiter = held_up.buffers().limiter;
    const auto first = limiter.enter(held_up.now.instant, many);
    held_up.factories.handshakes_max = 1;
    held_up.receive(fake::hello("http/1.1"));
    EXPECT_EQ(held_up.connection->deadline(), held_up.now.instant + HandshakeLimiter::pause);
    held_up.pass(HandshakeLimiter::pause);
    EXPECT_EQ(held_up.step(), Step::wait);
    EXPECT_EQ(troubles().count(Trouble::handshakes), before + 1);
}

TEST_F(AtTheGate, APlaceIsFreeOnceTheHandshakeHasEnded) {
    auto& limiter = driver.buffers().limiter;
    others.clear();
    driver.pass(1ms);
    driver.receive(fake::hello("http/1.1"));
    EXPECT_TRUE(limiter.is_full(1));
    driver.receive(fake::finished());
    EXPECT_FALSE(limiter.is_full(1));

    TlsDriver cut{http::hello};
    cut.receive(fake::hello("http/1.1"));
    cut.receive_end();
    EXPECT_FALSE(cut.buffers().limiter.is_full(1));
}

}  // namespace
}  // namespace weir::tls

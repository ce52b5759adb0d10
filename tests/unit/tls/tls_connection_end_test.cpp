// TlsConnection: how connections end, by either side, and how they are cut.

#include <gtest/gtest.h>

#include <string>

#include "unit/tls/tls_driver.h"

namespace weir::tls {
namespace {

using namespace std::chrono_literals;
using http::Step;

const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string last = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

TEST(TlsEnd, TheLastAnswerLeavesWithCloseNotifyAndFin) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.flushes.clear();
    driver.receive(fake::data(last));
    EXPECT_TRUE(driver.decoded().ends_with("hello[c]"));
    EXPECT_EQ(driver.flushes.size(), 1u);
    EXPECT_TRUE(driver.fin_sent());
}

TEST(TlsEnd, AChallengeEndsWithItsHandshake) {
    TlsDriver driver{http::hello};
    driver.receive(fake::hello("acme-tls/1"));
    driver.receive(fake::finished() + fake::data(get));
    EXPECT_TRUE(driver.decoded().ends_with("[h][c]")) << driver.decoded();
    EXPECT_TRUE(driver.fin_sent());
    EXPECT_EQ(driver.step(), Step::drain);
    driver.receive(fake::data(get));
    EXPECT_EQ(driver.inner_origin, nullptr);
    EXPECT_EQ(driver.handled, 0);
    driver.pass(1s);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(TlsEnd, OneThatLingersThrowsAwayWhatComes) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.receive(fake::data(last + get));
    EXPECT_EQ(driver.step(), Step::drain);
    driver.receive("no record at all");
    EXPECT_EQ(driver.step(), Step::drain);
    driver.receive_end();
    EXPECT_EQ(driver.step(), Step::close);
    EXPECT_EQ(driver.handled, 1);
}

TEST(TlsEnd, APeerThatSaysCloseGetsTheAnswerThatIsDue) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.receive(fake::data(get) + fake::close_notify());
    EXPECT_TRUE(driver.decoded().ends_with("hello[c]"));
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(TlsEnd, WithoutCloseNotifyTheConnectionIsCut) {
    TlsDriver driver{[](const http::Request& request) -> http::Reply {
        if (request.content_pending()) return http::ReadContent{};
        return http::hello(request);
    }};
    driver.shake_hands();
    driver.receive(fake::data("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345"));
    driver.receive_end();
    EXPECT_EQ(driver.step(), Step::close);
    EXPECT_EQ(driver.handled, 1);  // it asked for the content, and is not asked again
    EXPECT_FALSE(driver.decoded().contains("HTTP/1.1"));
}

TEST(TlsEnd, AnIdleConnectionSaysCloseWhenItsTimeIsOver) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.receive(fake::data(get));
    driver.pass(75s);
    EXPECT_TRUE(driver.decoded().ends_with("hello[c]"));
    EXPECT_TRUE(driver.fin_sent());
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(TlsEnd, AFarewellThatNobodyTakesIsNotWaitedFor) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.receive(fake::data(get));
    driver.send_max = 0;
    driver.pass(75s);
    EXPECT_EQ(driver.step(), Step::transmit);
    driver.pass(1s);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(TlsEnd, ARecordThatIsNotRightGetsAnAlert) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.receive(fake::data(get) + fake::hello("again"));
    EXPECT_TRUE(driver.decoded().ends_with("hello[a]"));
    EXPECT_EQ(driver.step(), Step::drain);  // no reset may destroy the alert
    driver.pass(1s);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST(TlsEnd, AReaderThatTakesNothingIsReset) {
    TlsDriver driver{[](const http::Request&) -> http::Reply {
        http::Response response;
        response.content(std::string(300'000, 'x'));
        return response;
    }};
    driver.shake_hands();
    driver.send_max = 0;
    driver.receive(fake::data(get));
    driver.pass(30s);
    driver.pass(30s);
    EXPECT_EQ(driver.step(), Step::close);
    EXPECT_TRUE(driver.connection->resets());
    EXPECT_EQ(driver.seen.at(0).outcome, http::Outcome::timed_out);
}

TEST(TlsEnd, OneThatIsTurnedAwayIsTold) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.connection->turn_away(driver.now);
    driver.drive();
    EXPECT_TRUE(driver.decoded().contains("503"));
    EXPECT_TRUE(driver.decoded().ends_with("[c]"));

    TlsDriver early{http::hello};
    early.connection->turn_away(early.now);
    EXPECT_EQ(early.step(), Step::close);
}

/// Says again and again that it changes its keys, and takes no reply.
TEST(TlsEnd, APeerThatMakesTheSessionTalkIsCut) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.send_max = 0;
    for (int i = 0; i < 10'000 && http::reads(driver.step()); ++i) driver.receive(fake::update());
    EXPECT_EQ(driver.step(), Step::close);
}

}  // namespace
}  // namespace weir::tls

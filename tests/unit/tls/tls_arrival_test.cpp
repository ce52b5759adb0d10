// TlsConnection before its session: the gate, and clients that speak HTTP.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tls/handshake_gate.h"
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

TEST(Gate, LetsSoManyInEachTurn) {
    HandshakeGate gate;
    const Instant now{1s};
    std::vector<HandshakeGate::Place> places;
    for (unsigned i = 0; i < HandshakeGate::per_turn_max; ++i)
        EXPECT_TRUE(places.emplace_back(gate.enter(now)));
    EXPECT_FALSE(gate.enter(now));
    EXPECT_EQ(gate.next(now), now + 1ms);
    EXPECT_TRUE(gate.enter(now + 1ms));
}

TEST(Gate, LetsSoManyInAtAll) {
    HandshakeGate gate;
    Instant now{1s};
    std::vector<HandshakeGate::Place> places;
    while (places.size() < HandshakeGate::at_work_max)
        if (auto place = gate.enter(now))
            places.push_back(std::move(place));
        else
            now += 1ms;
    now += 1ms;
    EXPECT_FALSE(gate.enter(now));
    EXPECT_EQ(gate.next(now), now + HandshakeGate::pause);
    places.pop_back();
    EXPECT_TRUE(gate.enter(now));
}

class AtTheGate : public testing::Test {
   protected:
    AtTheGate() {
        for (unsigned i = 0; i < HandshakeGate::per_turn_max; ++i)
            others.push_back(driver.buffers().gate.enter(driver.now.instant));
    }

    TlsDriver driver{http::hello};
    std::vector<HandshakeGate::Place> others;
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
    auto& gate = driver.buffers().gate;
    for (Instant turn = driver.now.instant; gate.at_work() < HandshakeGate::at_work_max;)
        if (auto place = gate.enter(turn))
            others.push_back(std::move(place));
        else
            turn += 1ms;
    driver.receive(fake::hello("http/1.1"));
    for (int i = 0; i < 499; ++i) driver.pass(HandshakeGate::pause);
    EXPECT_EQ(driver.step(), Step::wait);
    driver.pass(HandshakeGate::pause);
    EXPECT_EQ(driver.step(), Step::close);
}

TEST_F(AtTheGate, APlaceIsFreeOnceTheHandshakeHasEnded) {
    auto& gate = driver.buffers().gate;
    others.clear();
    driver.pass(1ms);
    driver.receive(fake::hello("http/1.1"));
    EXPECT_EQ(gate.at_work(), 1u);
    driver.receive(fake::finished());
    EXPECT_EQ(gate.at_work(), 0u);

    TlsDriver cut{http::hello};
    cut.receive(fake::hello("http/1.1"));
    cut.receive_end();
    EXPECT_EQ(cut.buffers().gate.at_work(), 0u);
}

}  // namespace
}  // namespace weir::tls

// TlsConnection: what is encrypted ahead, what counts as sent, and files.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/pattern.h"
#include "support/temporary_file.h"
#include "unit/tls/tls_driver.h"

namespace weir::tls {
namespace {

using http::Step;

const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr std::size_t large = 300'000;

http::Reply bytes(std::size_t size) {
    http::Response response;
    response.content(tests::pattern(0, size));
    return response;
}

std::string content_of(const std::string& decoded) {
    const auto at = decoded.find("\r\n\r\n");
    return at == std::string::npos ? "" : decoded.substr(at + 4);
}

class Amounts : public testing::TestWithParam<std::size_t> {};

TEST_P(Amounts, AnAnswerArrivesWholeHoweverMuchTheSocketTakes) {
    TlsDriver driver{[](const http::Request&) { return bytes(large); }};
    driver.shake_hands();
    driver.send_max = GetParam();
    driver.settles = GetParam() % 2 == 1;
    driver.receive(fake::data(get));
    EXPECT_EQ(content_of(driver.decoded()), tests::pattern(0, large));
    EXPECT_EQ(driver.seen.at(0).outcome, http::Outcome::sent);
    EXPECT_EQ(driver.seen.at(0).content_bytes, large);
}

INSTANTIATE_TEST_SUITE_P(TlsSend, Amounts,
                         testing::Values(1'001, 16'384, 16'387, 40'000, 65'548, 1 << 20));

TEST(TlsSend, FourRecordsAreEncryptedAheadAndNoMore) {
    TlsDriver driver{[](const http::Request&) { return bytes(large); }};
    driver.shake_hands();
    driver.flushes.clear();
    driver.receive(fake::data(get));
    EXPECT_LE(*std::ranges::max_element(driver.flushes), 4 * (record_plain_max + 3));
    EXPECT_EQ(driver.flushes.size(), large / (4 * record_plain_max) + 1);
}

TEST(TlsSend, HeadAndSmallContentShareARecord) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.sent.clear();
    driver.receive(fake::data(get));
    EXPECT_EQ(driver.sent.size(), http::hello_answer.size() + 3);
}

TEST(TlsSend, OnlyWholeRecordsCountAsSent) {
    TlsDriver driver{[](const http::Request&) { return bytes(large); }};
    driver.shake_hands();
    driver.send_max = 0;
    driver.receive(fake::data(get));
    driver.send_max = record_plain_max + 3 + 100;  // a record, and a part of the next
    driver.send();
    driver.connection->fail(http::Outcome::peer_gone, driver.now);
    EXPECT_EQ(driver.step(), Step::close);
    ASSERT_EQ(driver.seen.size(), 1u);
    EXPECT_EQ(driver.seen[0].outcome, http::Outcome::peer_gone);
    EXPECT_LT(driver.seen[0].content_bytes, record_plain_max);
    EXPECT_GT(driver.seen[0].content_bytes, record_plain_max - 200);
}

class Files : public testing::Test {
   protected:
    http::Reply answer(std::uint64_t size) const {
        http::Response response;
        response.content(http::FileRange{file.fd(), 10, size});
        return response;
    }
    tests::TemporaryFile file;
};

TEST_F(Files, AreReadAndEncrypted) {
    file.write(tests::pattern(0, 10 + large));
    TlsDriver driver{[this](const http::Request&) { return answer(large); }};
    driver.settles = true;
    driver.shake_hands();
    driver.receive(fake::data(get));
    EXPECT_EQ(content_of(driver.decoded()), tests::pattern(10, large));
    EXPECT_EQ(driver.seen.at(0).content_bytes, large);
}

TEST_F(Files, ThatEndEarlyCutTheConnection) {
    file.write(tests::pattern(0, 10 + 100'000));
    TlsDriver driver{[this](const http::Request&) { return answer(large); }};
    driver.shake_hands();
    driver.receive(fake::data(get));
    EXPECT_EQ(driver.step(), Step::close);
    EXPECT_FALSE(driver.fin_sent());
    EXPECT_EQ(driver.seen.at(0).outcome, http::Outcome::source_failed);
    EXPECT_FALSE(driver.decoded().contains("[c]"));
}

TEST(TlsSend, PipelinedRequestsAreAnsweredTogether) {
    TlsDriver driver{http::hello};
    driver.shake_hands();
    driver.flushes.clear();
    driver.receive(fake::data(get + get + get));
    EXPECT_EQ(driver.handled, 3);
    EXPECT_EQ(driver.flushes.size(), 1u);
}

TEST(TlsSend, WhatIsNotDecryptedWaitsUntilItIsWanted) {
    TlsDriver driver{[](const http::Request&) { return bytes(large); }};
    driver.shake_hands();
    driver.send_max = 0;
    driver.receive(fake::data(get) + fake::data(get) + fake::data(get));
    EXPECT_EQ(driver.handled, 1);
    driver.send_max = 1 << 20;
    driver.drive();
    EXPECT_EQ(driver.handled, 3);
    EXPECT_EQ(driver.step(), Step::receive);
}

}  // namespace
}  // namespace weir::tls

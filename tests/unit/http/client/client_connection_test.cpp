// The client's side of HTTP/1.1, played in memory: requests out, responses in.

#include "client_connection_fixture.h"

namespace weir::http::client {
namespace {

using ClientTest = ClientConnectionFixture;

TEST_F(ClientTest, SendsARequestAndReceivesItsResponse) {
    const auto exchange = give();
    connect();
    EXPECT_EQ(step(), Step::transmit);  // the socket may still connect
    EXPECT_FALSE(exchange->was_sent);
    EXPECT_EQ(sent(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(exchange->was_sent);
    EXPECT_EQ(step(), Step::receive);
    receive(hello);
    EXPECT_EQ(exchange->answered.code, 200);
    EXPECT_EQ(exchange->answered.content_length, 5u);
    EXPECT_EQ(exchange->received, "hello");
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(exchanges->kept, 1);
    EXPECT_EQ(step(), Step::receive);
    EXPECT_EQ(connection->close_impact(), CloseImpact::idle);
}

TEST_F(ClientTest, ResponseMayComeInPiecesOfAnySize) {
    for (const std::string& response :
         {std::string{hello},
          std::string{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 A\r\n\r\nHTTP/1.1 103 B\r\n\r\n"} +
              std::string{hello},
          std::string{
              "HTTP/1.1 200 OK\r\nX : a\r\nContent-Length \t: 5\r\n\r\nhello"},  // RFC 9112 5.1
          std::string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                      "2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\nX-A: b\r\n\r\n"}})
        for (std::size_t split = 1; split < response.size(); ++split) {
            const auto exchange = give();
            connect();
            sent();
            receive(std::string{response.substr(0, split)});
            receive(std::string{response.substr(split)});
            ASSERT_EQ(exchange->received, "hello") << response << " at " << split;
            ASSERT_EQ(exchange->hints.size(), response.contains(" 103 ") ? 2u : 0u);
            ASSERT_TRUE(exchange->has_ended);
            ASSERT_EQ(exchange->failure, Failure::none);
            ASSERT_EQ(step(), Step::receive);
        }
}

TEST_F(ClientTest, OneExchangeFollowsAnother) {
    give();
    connect();
    sent();
    receive(hello);
    for (int i = 0; i < 3; ++i) {
        const auto next = give();
        wake();
        EXPECT_EQ(sent(), next->sent.head);
        receive(hello);
        EXPECT_TRUE(next->has_ended);
    }
    EXPECT_EQ(exchanges->kept, 4);
}

TEST_F(ClientTest, SendsContentAsItComes) {
    const auto exchange = give();
    exchange->sent = {.head = "H", .content = Outgoing::Content::chunked};
    exchange->content = "first";
    connect();
    EXPECT_EQ(sent(), "H5\r\nfirst\r\n");
    exchange->content = std::string(26, 'x');
    wake();
    EXPECT_EQ(sent(), "1a\r\n" + std::string(26, 'x') + "\r\n");
    exchange->content = "last";
    exchange->content_ended = true;
    wake();
    EXPECT_EQ(sent(), "4\r\nlast\r\n0\r\n\r\n");
    receive(hello);
    EXPECT_EQ(exchanges->kept, 1);
}

TEST_F(ClientTest, SizedContentHasNoFrame) {
    const auto exchange = give();
    exchange->sent = {.head = "H", .content = Outgoing::Content::sized};
    connect();
    EXPECT_EQ(sent(), "H");
    exchange->content = "content";
    exchange->content_ended = true;
    wake();
    EXPECT_EQ(sent(), "content");
}

/// If the connection fails before, the request can go elsewhere with its content.
TEST_F(ClientTest, ContentStaysWithTheExchangeUntilTheHeadHasLeft) {
    give();
    connect();
    sent();
    receive(hello);
    const auto next = give();
    next->sent = {.head = "H", .content = Outgoing::Content::sized};
    next->content = "content";
    wake();
    EXPECT_EQ(connection->transmit().part_bytes(), 1u);
    EXPECT_EQ(next->content, "content");
    EXPECT_EQ(sent(), "Hcontent");
}

TEST_F(ClientTest, ContentWaitsForA100) {
    const auto exchange = give();
    exchange->sent = {.head = "H", .content = Outgoing::Content::sized, .expects_continue = true};
    exchange->content = "content";
    exchange->content_ended = true;
    connect();
    EXPECT_EQ(sent(), "H");
    receive("HTTP/1.1 100 Continue\r\n\r\n");
    EXPECT_EQ(sent(), "content");
}

TEST_F(ClientTest, ContentWaitsForA100NotForEver) {
    const auto exchange = give();
    exchange->sent = {.head = "H", .content = Outgoing::Content::sized, .expects_continue = true};
    exchange->content = "content";
    connect();
    EXPECT_EQ(sent(), "H");
    pass(timeouts.expectation);
    EXPECT_EQ(sent(), "content");
}

TEST_F(ClientTest, ServerThatRefusesContentEndsTheConnection) {
    const auto exchange = give();
    exchange->sent = {.head = "H", .content = Outgoing::Content::sized};
    connect();
    sent();
    receive("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(exchange->answered.code, 413);
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(step(), Step::close);
    EXPECT_EQ(exchanges->kept, 0);
}

TEST_F(ClientTest, UserThatIsSlowHoldsTheServerBack) {
    const auto exchange = give();
    connect();
    sent();
    exchange->takes_bytes = false;
    receive("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe");
    EXPECT_EQ(step(), Step::wait);
    exchange->takes_bytes = true;
    wake();
    EXPECT_EQ(step(), Step::receive);
    receive("llo");
    EXPECT_EQ(exchange->received, "hello");
}

TEST_F(ClientTest, ContentMayEndWithTheConnection) {
    const auto exchange = give();
    connect();
    sent();
    receive("HTTP/1.1 200 OK\r\n\r\nhello");
    EXPECT_FALSE(exchange->has_ended);
    connection->receive_end(now);
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(step(), Step::close);
}

TEST_F(ClientTest, ResponseWithoutContentEndsWithItsHead) {
    for (const char* const head : {"HTTP/1.1 204 No Content\r\n\r\n",
                                   "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
                                   "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}) {
        const auto exchange = give();
        connect();
        sent();
        receive(head);
        EXPECT_TRUE(exchange->has_ended) << head;
        EXPECT_EQ(step(), Step::receive) << head;
    }
}

TEST_F(ClientTest, ResponseThatCouldBeReadInTwoWaysIsRefused) {
    for (const char* const response :
         {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", "HTTP/1.1 200 OK\nContent-Length: 5\n\n",
          "HTTP/1.1 200 OK\r\nContent Length : 5\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", "nonsense\r\n\r\n",
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\n\r\n"}) {
        const auto exchange = give();
        connect();
        sent();
        receive(response);
        EXPECT_EQ(exchange->failure, Failure::malformed) << response;
        EXPECT_EQ(step(), Step::close) << response;
        EXPECT_TRUE(connection->resets());
    }
}

TEST_F(ClientTest, HeadThatIsTooLargeIsRefused) {
    const auto exchange = give();
    connect();
    sent();
    receive("HTTP/1.1 200 OK\r\nX: " + std::string(limits.field_line_bytes_max, 'x') + "\r\n\r\n");
    EXPECT_EQ(exchange->failure, Failure::too_large);
    const auto other = give();
    connect();
    sent();
    receive("HTTP/1.1 200 OK\r\nX" + std::string(limits.head_bytes_max, ' '));
    EXPECT_EQ(other->failure, Failure::malformed);
}

TEST_F(ClientTest, BytesAfterAResponseEndTheConnection) {
    const auto exchange = give();
    connect();
    sent();
    receive(std::string{hello} + "HTTP/1.1 200 OK\r\n\r\n");
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(exchange->received, "hello");
    EXPECT_EQ(step(), Step::close);
    EXPECT_TRUE(exchanges->is_closed);
}

TEST_F(ClientTest, ServerThatSaysCloseIsNotAskedAgain) {
    give();
    connect();
    sent();
    receive("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(step(), Step::close);
    EXPECT_EQ(exchanges->kept, 0);
}

TEST_F(ClientTest, FailureSaysWhetherTheRequestMayBeRepeated) {
    const auto never_connected = give();
    connect();
    connection->fail(Outcome::peer_gone, now);
    EXPECT_EQ(never_connected->failure, Failure::unreachable);
    EXPECT_FALSE(never_connected->was_sent);

    const auto new_one = give();
    connect();
    sent();
    connection->receive_end(now);
    EXPECT_EQ(new_one->failure, Failure::closed);

    give();
    connect();
    sent();
    receive(hello);
    const auto kept = give();
    wake();
    sent();
    connection->receive_end(now);
    EXPECT_EQ(kept->failure, Failure::stale);

    give();
    connect();
    sent();
    receive(hello);
    const auto begun = give();
    wake();
    sent();
    receive("HTTP/1.1 2");
    connection->receive_end(now);
    EXPECT_EQ(begun->failure, Failure::closed);
}

TEST_F(ClientTest, CanceledExchangeResetsTheConnection) {
    const auto exchange = give();
    connect();
    sent();
    exchange->is_canceled = true;
    wake();
    EXPECT_EQ(step(), Step::close);
    EXPECT_TRUE(connection->resets());
}

TEST_F(ClientTest, RetiredConnectionFinishesItsExchange) {
    const auto exchange = give();
    connect();
    sent();
    connection->retire(now);
    receive(hello);
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(step(), Step::close);

    give();
    connect();
    sent();
    receive(hello);
    connection->retire(now);
    EXPECT_EQ(step(), Step::close);
}

TEST_F(ClientTest, TunnelCarriesBytesBothWays) {
    const auto exchange = give();
    exchange->sent.upgrades = true;
    connect();
    sent();
    receive("HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\nearly");
    EXPECT_TRUE(exchange->answered.is_tunnel);
    EXPECT_EQ(exchange->received, "early");
    exchange->content = "up";
    wake();
    EXPECT_EQ(sent(), "up");
    receive("down");
    EXPECT_EQ(exchange->received, "earlydown");
    exchange->content_ended = true;
    wake();
    EXPECT_EQ(step(), Step::drain);
    receive("more");
    EXPECT_EQ(exchange->received, "earlydownmore");
    connection->receive_end(now);
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(step(), Step::close);
}

TEST_F(ClientTest, ServerMayEndItsSideOfATunnelFirst) {
    const auto exchange = give();
    exchange->sent.upgrades = true;
    connect();
    sent();
    receive("HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\n");
    connection->receive_end(now);
    EXPECT_TRUE(exchange->has_ended);
    EXPECT_EQ(step(), Step::wait);
    exchange->content = "up";
    wake();
    EXPECT_EQ(sent(), "up");
    exchange->content_ended = true;
    wake();
    EXPECT_EQ(step(), Step::close);
}

}  // namespace
}  // namespace weir::http::client

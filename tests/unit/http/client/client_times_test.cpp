// The client's side of HTTP/1.1: how long it waits for a server.

#include "client_connection_fixture.h"

namespace weir::http::client {
namespace {

using ClientTimes = ClientConnectionFixture;

TEST_F(ClientTimes, EachWaitHasItsTime) {
    const auto connects = give();
    connect();
    pass(timeouts.connect);
    EXPECT_EQ(connects->failure, Failure::unreachable);
    EXPECT_EQ(step(), Step::close);

    const auto answers = give();
    connect();
    sent();
    pass(timeouts.response);
    EXPECT_EQ(answers->failure, Failure::timed_out);
    EXPECT_TRUE(connection->resets());

    give();
    connect();
    sent();
    receive(hello);
    pass(timeouts.keep_alive);
    EXPECT_EQ(step(), Step::close);
    EXPECT_FALSE(connection->resets());
}

TEST_F(ClientTimes, PausesWithinContentHaveTheirTime) {
    constexpr std::string_view beginning = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na";
    timeouts.content = milliseconds{100};
    const auto stalls = give();
    connect();
    sent();
    receive(beginning);
    for (int i = 0; i < 3; ++i) {  // each byte begins another pause
        pass(milliseconds{99});
        receive("b");
    }
    stalls->takes_bytes = false;  // the user's own pause has no limit here
    wake();
    pass(timeouts.keep_alive);
    stalls->takes_bytes = true;
    wake();
    pass(milliseconds{99});
    EXPECT_EQ(stalls->failure, Failure::none);
    pass(milliseconds{1});
    EXPECT_EQ(stalls->failure, Failure::timed_out);
    EXPECT_EQ(stalls->received, "abbb");
    EXPECT_TRUE(connection->resets());

    timeouts.content = milliseconds{0};
    const auto waits = give();
    connect();
    sent();
    receive(beginning);
    EXPECT_EQ(connection->deadline(), never);
}

TEST_F(ClientTimes, ServerThatTakesBytesSlowlyIsNotCut) {
    const auto exchange = give();
    exchange->sent.content = Outgoing::Content::sized;
    connect();
    sent();
    exchange->content = std::string(1000, 'x');
    wake();
    ASSERT_EQ(connection->transmit().part_bytes(), 1000u);
    connection->transmitted(100, now);
    pass(timeouts.transmit, 500);  // the first look only learns how many are queued
    pass(timeouts.transmit, 400);
    EXPECT_EQ(exchange->failure, Failure::none);
    pass(timeouts.transmit, 400);
    EXPECT_EQ(exchange->failure, Failure::timed_out);
}

TEST_F(ClientTimes, ServerSaysHowLongItKeepsTheConnection) {
    give();
    connect();
    sent();
    receive("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=9\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ(connection->deadline(), now.instant + milliseconds{4000});
}

}  // namespace
}  // namespace weir::http::client

// Connections to other servers: new ones, kept ones, and their descriptors.

#include "upstream/pool.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/descriptors.h"
#include "silent.h"
#include "support/client.h"
#include "support/plain_upstream.h"
#include "support/time_limit.h"
#include "upstream/shared_exchange.h"
#include "upstream/target.h"

namespace weir::upstream {
namespace {

/// Keeps what it is to adopt.
struct Mail final : http::Postbox {
    void answer(http::Ticket, http::Response&&) override {}
    void wake(http::Ticket) override { ++wakes; }
    void adopt(std::unique_ptr<http::Outbound> outbound) override {
        if (is_closed) return;
        const std::scoped_lock lock{mutex};
        adopted.push_back(std::move(outbound));
        changed.notify_all();
    }
    /// After races, which may be decided on their own thread.
    void await_one() {
        std::unique_lock lock{mutex};
        EXPECT_TRUE(changed.wait_for(lock, tests::time_limit, [this] { return !adopted.empty(); }));
    }
    std::mutex mutex;
    std::condition_variable changed;
    bool is_closed = false;
    std::vector<std::unique_ptr<http::Outbound>> adopted;
    int wakes = 0;
};

struct Here final : http::Origin {
    void append_address(std::string&) const override {}
    std::shared_ptr<http::Postbox> postbox() override { return mail; }
    std::uint64_t number() const noexcept override { return 1; }
    std::shared_ptr<Mail> mail = std::make_shared<Mail>();
};

struct PoolTest : ::testing::Test {
    /// An engine that ends drops the connections that it has not adopted yet.
    ~PoolTest() override {
        here.mail->is_closed = true;
        here.mail->adopted.clear();
    }
    std::shared_ptr<SharedExchange> begin(bool fresh = false) {
        auto exchange = std::make_shared<SharedExchange>(
            http::client::Outgoing{.head = "GET / HTTP/1.1\r\n\r\n"}, http::Waker{here.mail, {}});
        pool.begin(exchange, target, here.mail, fresh);
        return exchange;
    }
    std::unique_ptr<http::Connection> adopt() {
        const auto outbound = std::move(here.mail->adopted.back());
        here.mail->adopted.pop_back();
        const net::UniqueFd socket{outbound->release_socket()};
        EXPECT_TRUE(socket);
        return outbound->connect(here, now);
    }
    /// Sends the request, and receives a response.
    void answer(http::Connection& connection) const {
        connection.transmitted(connection.transmit().part_bytes(), now);
        connection.receive("HTTP/1.1 204 No Content\r\n\r\n", now);
    }

    const Now now{.instant = Instant{std::chrono::hours{1}}};
    tests::PlainUpstream server;
    Target target = *parse_target(server.url());
    Pool pool{{.kept_max = 1, .connections_max = 2, .waiting_max = 2}};
    Here here;
};

TEST_F(PoolTest, KeepsAConnectionAndUsesItAgain) {
    const auto first = begin();
    const auto connection = adopt();
    answer(*connection);
    EXPECT_TRUE(first->look().has_ended);
    const auto second = begin();
    EXPECT_TRUE(here.mail->adopted.empty());
    connection->wake(0, now);
    answer(*connection);
    EXPECT_TRUE(second->look().has_ended);
}

TEST_F(PoolTest, PlainConnectionTakesNoRequestForAHostToBeProven) {
    target.host = "localhost";
    EXPECT_EQ(begin()->look().failure, Failure::insecure);
    EXPECT_TRUE(here.mail->adopted.empty());
}

TEST_F(PoolTest, KeepsNoMoreThanItMay) {
    const auto one = begin();
    const auto first = adopt();
    const auto other = begin();
    const auto second = adopt();
    answer(*first);
    answer(*second);
    EXPECT_EQ(first->step(), http::Step::receive);
    EXPECT_EQ(second->step(), http::Step::close);
}

TEST_F(PoolTest, ForgetsAConnectionThatHasClosed) {
    begin();
    auto connection = adopt();
    answer(*connection);
    connection->receive_end(now);
    EXPECT_EQ(connection->step(), http::Step::close);
    begin();
    EXPECT_EQ(here.mail->adopted.size(), 1u);
}

TEST_F(PoolTest, GivesAnotherThreadNoneOfTheseConnections) {
    begin();
    const auto connection = adopt();
    answer(*connection);
    here.mail = std::make_shared<Mail>();
    begin();
    EXPECT_EQ(here.mail->adopted.size(), 1u);
}

TEST_F(PoolTest, ExchangeThatNobodyAdoptsFails) {
    const auto exchange = begin();
    here.mail->adopted.clear();
    EXPECT_EQ(exchange->look().failure, Failure::unreachable);
}

TEST_F(PoolTest, DescriptorsAreCounted) {
    const auto before = net::descriptors().used();
    begin();
    EXPECT_EQ(net::descriptors().used(), before + 1);
    auto connection = adopt();
    EXPECT_EQ(net::descriptors().used(), before + 1);
    connection.reset();
    EXPECT_EQ(net::descriptors().used(), before);
}

// ---- several addresses ----

TEST_F(PoolTest, AddressThatRefusesIsPassedOver) {
    const net::UniqueFd refuses = tests::bound_socket();
    target.addresses.insert(target.addresses.begin(), address_of(refuses));
    const auto exchange = begin();
    here.mail->await_one();
    answer(*adopt());
    EXPECT_TRUE(exchange->look().has_ended);
}

TEST_F(PoolTest, SilentAddressIsOvertaken) {
    const Silent silent;
    target.addresses.insert(target.addresses.begin(), silent.address());
    const auto exchange = begin();
    EXPECT_TRUE(here.mail->adopted.empty());
    here.mail->await_one();
    const auto first = adopt();
    answer(*first);
    EXPECT_TRUE(exchange->look().has_ended);
}

TEST_F(PoolTest, DescriptorsOfARaceAreCounted) {
    const auto before = net::descriptors().used();
    const Silent silent;
    target.addresses.insert(target.addresses.begin(), silent.address());
    begin();
    here.mail->await_one();
    EXPECT_EQ(net::descriptors().used(), before + 1);
    adopt().reset();
    EXPECT_EQ(net::descriptors().used(), before);
}

TEST_F(PoolTest, ExchangeFailsIfEachAddressRefuses) {
    const net::UniqueFd one = tests::bound_socket(), other = tests::bound_socket();
    target.addresses = {address_of(one), address_of(other)};
    const auto exchange = begin();
    while (exchange->look().failure == Failure::none) std::this_thread::yield();
    EXPECT_EQ(exchange->look().failure, Failure::unreachable);
    EXPECT_TRUE(here.mail->adopted.empty());
}

// ---- addresses that change ----

TEST_F(PoolTest, IdleConnectionToAnAddressThatHasGoneCloses) {
    begin();
    const auto connection = adopt();
    answer(*connection);
    const int before = here.mail->wakes;
    pool.lead_to(target.url, std::vector{*net::Address::parse("127.0.0.2", 1)});
    EXPECT_EQ(here.mail->wakes, before + 1);
    connection->wake(0, now);
    EXPECT_EQ(connection->step(), http::Step::close);
}

TEST_F(PoolTest, RequestUnderWayStaysAndItsConnectionClosesAfterIt) {
    const auto exchange = begin();
    const auto connection = adopt();
    pool.lead_to(target.url, std::vector{*net::Address::parse("127.0.0.2", 1)});
    answer(*connection);
    EXPECT_TRUE(exchange->look().has_ended);
    EXPECT_EQ(exchange->look().failure, Failure::none);
    EXPECT_EQ(connection->step(), http::Step::close);
}

TEST_F(PoolTest, ConnectionToAnAddressThatStaysIsKept) {
    begin();
    const auto connection = adopt();
    answer(*connection);
    target.addresses.insert(target.addresses.begin(), *net::Address::parse("127.0.0.2", 1));
    pool.lead_to(target.url, target.addresses);
    begin();
    EXPECT_TRUE(here.mail->adopted.empty());
    connection->wake(0, now);
    answer(*connection);
    EXPECT_EQ(connection->step(), http::Step::receive);
}

TEST_F(PoolTest, ServersOfAnotherUrlKeepTheirConnections) {
    begin();
    const auto connection = adopt();
    answer(*connection);
    pool.lead_to("http://other", std::vector{*net::Address::parse("127.0.0.2", 1)});
    begin();
    EXPECT_TRUE(here.mail->adopted.empty());
}

// ---- as many connections as a server may have ----

TEST_F(PoolTest, ExchangeWaitsForAConnectionThatIsFree) {
    const auto one = begin();
    const auto first = adopt();
    const auto other = begin();
    const auto second = adopt();
    const auto waits = begin();
    EXPECT_TRUE(here.mail->adopted.empty());
    answer(*first);
    first->wake(0, now);
    answer(*first);
    EXPECT_TRUE(waits->look().has_ended);
    EXPECT_TRUE(here.mail->adopted.empty());
}

TEST_F(PoolTest, ExchangeWaitsForOneThatCloses) {
    const auto one = begin();
    auto first = adopt();
    const auto other = begin();
    const auto second = adopt();
    const auto waits = begin();
    first->fail(http::Outcome::peer_gone, now);
    ASSERT_EQ(here.mail->adopted.size(), 1u);
    const auto third = adopt();
    answer(*third);
    EXPECT_TRUE(waits->look().has_ended);
}

TEST_F(PoolTest, TooManyThatWaitAreRefused) {
    const auto one = begin();
    const auto first = adopt();
    const auto other = begin();
    const auto second = adopt();
    const auto waits = begin();
    const auto waits_too = begin();
    EXPECT_EQ(begin()->look().failure, Failure::busy);
    waits_too->cancel();  // it makes room
    const auto last = begin();
    EXPECT_EQ(last->look().failure, Failure::none);
    for (int i = 0; i < 2; ++i) {
        answer(*first);
        first->wake(0, now);
    }
    answer(*first);
    EXPECT_TRUE(waits->look().has_ended);
    EXPECT_FALSE(waits_too->look().has_ended);
    EXPECT_TRUE(last->look().has_ended);
}

/// Connections that can't be made do not count.
TEST_F(PoolTest, EngineThatHasGoneFailsAllThatWait) {
    const auto one = begin();
    const auto other = begin();
    const auto waits = begin();
    here.mail->is_closed = true;
    here.mail->adopted.clear();
    for (const auto* const each : {&one, &other, &waits})
        EXPECT_EQ((*each)->look().failure, Failure::unreachable);
    here.mail->is_closed = false;
    const auto last = begin();
    EXPECT_EQ(here.mail->adopted.size(), 1u);
}

}  // namespace
}  // namespace weir::upstream

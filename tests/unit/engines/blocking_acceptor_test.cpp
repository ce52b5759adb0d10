#include "engines/threads/blocking_acceptor.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <vector>

#include "net/event_fd.h"
#include "unit/engines/bare_host.h"
#include "unit/engines/before_a_queue.h"

namespace weir::engines {
namespace {

using Kind = net::Accepted::Kind;
using namespace std::chrono_literals;

class BlockingAcceptorBeforeAQueue : public BeforeAQueue {
   protected:
    /// How many connections it accepts until it says that there are no more.
    std::size_t accept_rest() {
        std::size_t count = 0;
        while (acceptor.next()) ++count;
        return count;
    }

    BareHost bare{std::span{&listener, 1}};
    ConnectionLimit limit{10};
    BlockingAcceptor acceptor{bare.host, limit};
};

TEST_F(BlockingAcceptorBeforeAQueue, AfterTheStopAcceptsThoseInTheQueueAndCloses) {
    queue(3);
    EXPECT_EQ(acceptor.next()->kind, Kind::connection);
    bare.stop.request_drain();
    EXPECT_EQ(accept_rest(), 2u);
    EXPECT_EQ(listener.fd(), -1);
}

TEST_F(BlockingAcceptorBeforeAQueue, ThoseThatComeAfterTheStopDoNotProlongIt) {
    queue(2);
    bare.stop.request_drain();
    EXPECT_EQ(acceptor.next()->kind, Kind::connection);
    queue(2);
    EXPECT_EQ(accept_rest(), 1u);
}

TEST_F(BlockingAcceptorBeforeAQueue, AStopAtOnceLeavesTheQueueAlone) {
    queue(2);
    bare.stop.request_now();
    EXPECT_FALSE(acceptor.may_go_on());
    EXPECT_EQ(accept_rest(), 0u);
    EXPECT_EQ(listener.fd(), -1);
}

TEST_F(BlockingAcceptorBeforeAQueue, SoDoesOneWhoseTimeoutIsOver) {
    bare.host.options.stop_timeout = 0ms;
    EXPECT_TRUE(acceptor.may_go_on());
    queue(2);
    bare.stop.request_drain();
    EXPECT_FALSE(acceptor.may_go_on());
    EXPECT_EQ(accept_rest(), 0u);
}

TEST_F(BlockingAcceptorBeforeAQueue, ReturnsForTheEnginesOwnDescriptor) {
    const net::EventFd own;
    own.signal();
    EXPECT_EQ(acceptor.next(own.fd())->kind, Kind::none);
    own.clear();
    queue(1);
    EXPECT_EQ(acceptor.next(own.fd())->kind, Kind::connection);
}

TEST_F(BlockingAcceptorBeforeAQueue, WithoutRoomReturnsToAnEngineThatMustMakeIt) {
    const net::EventFd own;
    ConnectionLimit one{1};
    BlockingAcceptor narrow{bare.host, one};
    queue(2);
    EXPECT_EQ(narrow.next(own.fd())->kind, Kind::connection);
    bare.stop.request_drain();
    EXPECT_EQ(narrow.next(own.fd())->kind, Kind::exhausted);
    one.release({});
    EXPECT_EQ(narrow.next(own.fd())->kind, Kind::connection);
    EXPECT_FALSE(narrow.next(own.fd()));
}

TEST(BlockingAcceptor, TakesOneFromEachListenerInTurn) {
    const auto any = *net::Address::parse("127.0.0.1", 0);
    std::array listeners{net::Listener::open(any).value(), net::Listener::open(any).value()};
    BareHost bare{listeners};
    ConnectionLimit limit{10};
    BlockingAcceptor acceptor{bare.host, limit};
    std::vector<net::UniqueFd> clients;
    for (const auto& listener : listeners) {
        for (int i = 0; i < 2; ++i) {
            clients.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            const auto& address = listener.address();
            ASSERT_EQ(::connect(clients.back().get(), address.data(), address.size()), 0);
        }
    }
    for (const int expected : {0, 1, 0, 1}) {
        const auto accepted = acceptor.next();
        EXPECT_EQ(net::Address::of_socket(accepted->socket.get())->text(),
                  listeners[static_cast<std::size_t>(expected)].address().text());
    }
}

}  // namespace
}  // namespace weir::engines

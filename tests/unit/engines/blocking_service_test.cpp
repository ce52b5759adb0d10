#include "engines/threads/blocking_service.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <memory>
#include <new>

#include "base/troubles.h"
#include "unit/engines/bare_host.h"
#include "unit/engines/fake_connection.h"
#include "unit/net/connected_pair.h"

namespace weir::engines {
namespace {

struct BlockingServiceTest : ::testing::Test {
    bool is_closed() const {
        char byte;
        return ::recv(theirs.get(), &byte, 1, MSG_DONTWAIT) == 0;
    }

    BareHost bare;
    net::UniqueFd theirs;
    net::Accepted accepted = [this] {
        auto [here, there] = net::connected_pair();
        theirs = std::move(there);
        return net::Accepted{.kind = net::Accepted::Kind::connection, .socket = std::move(here)};
    }();
};

TEST_F(BlockingServiceTest, ServesFromTheBeginningToTheEnd) {
    bare.host.connect = [](http::Workspace&, http::Origin&, Now) {
        return std::make_unique<FakeConnection>();
    };
    BlockingService<1024> service{bare.host};
    Peer* const peer = service.begin(accepted);
    ASSERT_NE(peer, nullptr);
    EXPECT_NE(peer->connection, nullptr);
    EXPECT_FALSE(is_closed());
    service.end();
    EXPECT_TRUE(is_closed());
}

TEST_F(BlockingServiceTest, ClosesAConnectionForWhichThereIsNoMemoryAndNotesIt) {
    bare.host.connect = [](http::Workspace&, http::Origin&,
                           Now) -> std::unique_ptr<http::Connection> { throw std::bad_alloc{}; };
    const auto before = troubles().count(Trouble::memory);
    BlockingService<1024> service{bare.host};
    EXPECT_EQ(service.begin(accepted), nullptr);
    EXPECT_TRUE(is_closed());
    EXPECT_EQ(troubles().count(Trouble::memory), before + 1);
}

}  // namespace
}  // namespace weir::engines

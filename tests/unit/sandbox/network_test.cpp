// A server that was locked in talks to those who connect to it, and to nobody else.

#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "net/listener.h"
#include "sandbox/landlock.h"
#include "unit/sandbox/in_child.h"

namespace weir::sandbox {
namespace {

struct Network : Sandboxed {
    void SetUp() override { require("system calls"); }
};

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

const sockaddr* pointer_to(const sockaddr_in& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

TEST_F(Network, HasNoNewSockets) {
    EXPECT_EQ(try_out([] { return error_of(::socket(AF_INET, SOCK_STREAM, 0)); }),
              fails_with(EPERM));
    EXPECT_EQ(try_out([] { return error_of(::socket(AF_UNIX, SOCK_STREAM, 0)); }),
              fails_with(EPERM));
    EXPECT_EQ(try_out([] { return error_of(::socket(AF_NETLINK, SOCK_RAW, 0)); }),
              fails_with(EPERM));
}

TEST_F(Network, ConnectsAndBindsNoSocketFromBefore) {
    const net::UniqueFd socket{::socket(AF_INET, SOCK_STREAM, 0)};
    const auto address = loopback(9);
    const auto any = loopback(0);
    EXPECT_EQ(try_out([&] {
                  return error_of(::connect(socket.get(), pointer_to(address), sizeof address));
              }),
              fails_with(EPERM));
    EXPECT_EQ(try_out([&] { return error_of(::bind(socket.get(), pointer_to(any), sizeof any)); }),
              fails_with(EPERM));
}

TEST_F(Network, ListensOnWhatWasReserved) {
    auto listener = net::Listener::open(*net::Address::parse("127.0.0.1", 0));
    ASSERT_TRUE(listener);
    ASSERT_FALSE(listener->reserve_siblings(1));
    EXPECT_EQ(try_out([&] { return listener->sibling() ? 0 : 1; }), success);
    EXPECT_EQ(try_out([&] {
                  static_cast<void>(listener->sibling());
                  return listener->sibling().error().value();  // only one was reserved
              }),
              fails_with(EPERM));
}

TEST_F(Network, ConnectsToTheServersThatAreAllowedAndToNoOthers) {
    const auto one = net::Listener::open(*net::Address::parse("127.0.0.1", 0));
    const auto other = net::Listener::open(*net::Address::parse("127.0.0.1", 0));
    ASSERT_TRUE(one && other);
    allowed.ports = {one->address().port()};
    constexpr int stream = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    const auto connect = [](std::uint16_t port) {
        const net::UniqueFd socket{::socket(AF_INET, stream, 0)};
        const auto address = loopback(port);
        const int error = error_of(::connect(socket.get(), pointer_to(address), sizeof address));
        return error == EINPROGRESS ? 0 : error;
    };
    EXPECT_EQ(try_out([&] { return connect(one->address().port()); }), success);
    for (const int type : {SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, int{SOCK_RAW}})
        EXPECT_EQ(try_out([type] { return error_of(::socket(AF_INET, type, 0)); }),
                  fails_with(EPERM));
    const auto refused = in_child([&] {
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        const auto abi = restrict_files(allowed);
        return !abi || *abi < 4 ? EACCES : connect(other->address().port());
    });
    EXPECT_EQ(refused, fails_with(EACCES));
}

// Landlock forbids it as well, for calls that do not come past the filter.
TEST_F(Network, ConnectsNowhereWithoutTheFilterEither) {
    const auto address = loopback(9);
    const auto tried = in_child([&] {
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        const auto abi = restrict_files(allowed);
        if (!abi || *abi < 4) return EACCES;  // this kernel's Landlock has no limits for sockets
        const net::UniqueFd socket{::socket(AF_INET, SOCK_STREAM, 0)};
        return error_of(::connect(socket.get(), pointer_to(address), sizeof address));
    });
    EXPECT_EQ(tried, fails_with(EACCES));
}

}  // namespace
}  // namespace weir::sandbox

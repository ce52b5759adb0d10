#include "net/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "net/accept.h"

namespace weir::net {
namespace {

namespace fs = std::filesystem;

Listener open_or_throw(const Address& address) {
    auto listener = Listener::open(address);
    if (!listener) throw std::system_error{listener.error()};
    return std::move(*listener);
}

Listener open_any(std::string_view host = "127.0.0.1") {
    return open_or_throw(*Address::parse(host, 0));
}

UniqueFd connect_to(const Address& address) {
    UniqueFd fd{::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (::connect(fd.get(), address.data(), address.size()) != 0) fd.reset();
    return fd;
}

int option(int fd, int level, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    ::getsockopt(fd, level, name, &value, &size);
    return value;
}

class ListenerOnPath : public ::testing::Test {
   protected:
    ListenerOnPath() {
        std::string name = ::testing::TempDir() + "weir-XXXXXX";
        directory_ = ::mkdtemp(name.data());
        path = directory_ / "s";
    }
    ~ListenerOnPath() override { fs::remove_all(directory_); }

    Address address() const { return *Address::parse("unix:" + path.string(), 0); }
    /// Leaves the socket file that a killed server leaves.
    void leave_stale_socket() const {
        const UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
        ASSERT_EQ(::bind(fd.get(), address().data(), address().size()), 0);
    }

    fs::path path;

   private:
    fs::path directory_;
};

TEST(Listener, TakesAFreePort) {
    const auto listener = open_any();
    EXPECT_NE(listener.address().port(), 0);
    EXPECT_EQ(listener.address().host(), "127.0.0.1");
    EXPECT_TRUE(connect_to(listener.address()));
}

TEST(Listener, AcceptsWithoutDelayBlockingOrInheritance) {
    const auto listener = open_any();
    const auto client = connect_to(listener.address());
    const auto accepted = accept_connection(listener.fd());
    ASSERT_EQ(accepted.kind, Accepted::Kind::connection);
    const int fd = accepted.socket.get();
    EXPECT_EQ(option(fd, IPPROTO_TCP, TCP_NODELAY), 1);
    EXPECT_TRUE(::fcntl(fd, F_GETFL) & O_NONBLOCK);
    EXPECT_TRUE(::fcntl(fd, F_GETFD) & FD_CLOEXEC);
    std::string peer;
    accepted.peer.append_to(peer);
    EXPECT_EQ(peer, "127.0.0.1");
    EXPECT_EQ(accepted.peer.port(), Address::of_socket(client.get())->port());
}

TEST(Listener, HasNobodyToAcceptUntilSomebodyComes) {
    const auto listener = open_any();
    EXPECT_EQ(accept_connection(listener.fd()).kind, Accepted::Kind::none);
    EXPECT_EQ(accept_connection(-1).kind, Accepted::Kind::failed);
}

TEST(Listener, CountsItsQueue) {
    const auto listener = open_any();
    EXPECT_EQ(listener.queued(), 0u);
    const auto first = connect_to(listener.address());
    const auto second = connect_to(listener.address());
    EXPECT_EQ(listener.queued(), 2u);
    accept_connection(listener.fd());
    EXPECT_EQ(listener.queued(), 1u);
}

TEST(Listener, NoticesThatThePortIsTaken) {
    const auto first = open_any();
    const auto second = Listener::open(first.address());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error(), std::errc::address_in_use);
}

TEST(Listener, NoticesThatASiblingHasThePort) {
    auto first = open_any();
    const auto sibling = first.sibling();
    ASSERT_TRUE(sibling);
    first.close();
    EXPECT_FALSE(Listener::open(sibling->address()));
}

TEST(Listener, LeavesThePortFree) {
    auto first = open_any();
    const auto address = first.address();
    {
        // The side that closes first is in TIME_WAIT afterwards.
        const auto client = connect_to(address);
        accept_connection(first.fd()).socket.get();
        char byte;
        EXPECT_EQ(::recv(client.get(), &byte, 1, 0), 0);
    }
    first.close();
    EXPECT_EQ(first.fd(), -1);
    EXPECT_FALSE(connect_to(address));
    EXPECT_TRUE(Listener::open(address));
}

TEST(Listener, SiblingsShareThePort) {
    auto first = open_any();
    const auto sibling = first.sibling();
    ASSERT_TRUE(sibling);
    EXPECT_EQ(sibling->address().text(), first.address().text());
    // The kernel distributes connections by a hash: with this many, each listener gets some.
    constexpr int count = 64;
    std::vector<UniqueFd> clients;
    for (int i = 0; i < count; ++i) clients.push_back(connect_to(first.address()));
    int to_first = 0;
    int to_sibling = 0;
    while (accept_connection(first.fd()).kind == Accepted::Kind::connection) ++to_first;
    while (accept_connection(sibling->fd()).kind == Accepted::Kind::connection) ++to_sibling;
    EXPECT_GT(to_first, 0);
    EXPECT_GT(to_sibling, 0);
    EXPECT_EQ(to_first + to_sibling, count);
}

TEST(Listener, TakesNoConnectionWithASiblingThatIsOnlyReserved) {
    auto first = open_any();
    ASSERT_FALSE(first.reserve_siblings(1));
    constexpr int count = 64;
    std::vector<UniqueFd> clients;
    for (int i = 0; i < count; ++i) clients.push_back(connect_to(first.address()));
    int to_first = 0;
    while (accept_connection(first.fd()).kind == Accepted::Kind::connection) ++to_first;
    EXPECT_EQ(to_first, count);
    const auto sibling = first.sibling();
    ASSERT_TRUE(sibling) << sibling.error().message();
    first.close();
    EXPECT_TRUE(connect_to(sibling->address()));
    EXPECT_EQ(accept_connection(sibling->fd()).kind, Accepted::Kind::connection);
}

TEST(Listener, BothFamiliesStandSideBySide) {
    const auto ipv4 = open_any("0.0.0.0");
    const auto ipv6 = Listener::open(*Address::parse("::", ipv4.address().port()));
    if (!ipv6 && ipv6.error() == std::errc::address_family_not_supported) GTEST_SKIP();
    EXPECT_TRUE(ipv6) << ipv6.error().message();
}

TEST(Listener, CannotListenWhereItHasNoAddress) {
    EXPECT_EQ(Listener::open(*Address::parse("192.0.2.1", 0)).error(),
              std::errc::address_not_available);
}

TEST(Listener, QueueIsAsLongAsTheSystemAllows) {
    std::ifstream file{"/proc/sys/net/core/somaxconn"};
    int expected = 0;
    file >> expected;
    EXPECT_EQ(backlog_max(), expected);
}

TEST_F(ListenerOnPath, ServesAndRemovesItsFile) {
    {
        const auto listener = open_or_throw(address());
        EXPECT_TRUE(fs::is_socket(path));
        const auto client = connect_to(address());
        const auto accepted = accept_connection(listener.fd());
        ASSERT_EQ(accepted.kind, Accepted::Kind::connection);
        std::string peer;
        accepted.peer.append_to(peer);
        EXPECT_EQ(peer, "unix:");
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(ListenerOnPath, ReplacesAStaleSocket) {
    leave_stale_socket();
    const auto listener = open_or_throw(address());
    EXPECT_TRUE(connect_to(address()));
    EXPECT_EQ(listener.queued(), SIZE_MAX);
}

TEST_F(ListenerOnPath, LeavesASocketThatSomebodyAnswersOn) {
    const auto first = open_or_throw(address());
    EXPECT_EQ(Listener::open(address()).error(), std::errc::address_in_use);
    EXPECT_TRUE(connect_to(address()));
}

TEST_F(ListenerOnPath, LeavesFilesAlone) {
    std::ofstream{path} << "precious";
    EXPECT_EQ(Listener::open(address()).error(), std::errc::address_in_use);
    EXPECT_TRUE(fs::is_regular_file(path));
}

TEST_F(ListenerOnPath, LeavesTheFileOfASuccessor) {
    auto first = open_or_throw(address());
    fs::remove(path);
    const auto second = open_or_throw(address());
    first.close();
    EXPECT_TRUE(connect_to(address()));
}

TEST_F(ListenerOnPath, SiblingsShareTheQueueAndLeaveTheFile) {
    auto listener = open_or_throw(address());
    {
        const auto sibling = listener.sibling();
        ASSERT_TRUE(sibling);
        const auto client = connect_to(address());
        EXPECT_EQ(accept_connection(sibling->fd()).kind, Accepted::Kind::connection);
        EXPECT_EQ(accept_connection(listener.fd()).kind, Accepted::Kind::none);
    }
    EXPECT_TRUE(fs::is_socket(path));
}

TEST_F(ListenerOnPath, MovesWithItsFile) {
    auto listener = open_or_throw(address());
    Listener moved{std::move(listener)};
    EXPECT_TRUE(connect_to(address()));
    moved = open_any();
    EXPECT_FALSE(fs::exists(path));
}

UniqueFd duplicate_of(const Listener& listener) {
    return UniqueFd{::fcntl(listener.fd(), F_DUPFD_CLOEXEC, 0)};
}

TEST(GivenListener, HasTheQueueOfItsSocket) {
    const auto listener = open_any();
    const auto peer = connect_to(listener.address());
    const auto given = Listener::adopt(duplicate_of(listener));
    ASSERT_TRUE(given.has_value());
    EXPECT_EQ(given->address().text(), listener.address().text());
    EXPECT_EQ(accept_connection(given->fd()).kind, Accepted::Kind::connection);
}

TEST(GivenListener, BecomesLikeOthers) {
    const UniqueFd bare{::socket(AF_INET, SOCK_STREAM, 0)};
    const auto anywhere = *Address::parse("127.0.0.1", 0);
    ASSERT_EQ(::bind(bare.get(), anywhere.data(), anywhere.size()), 0);
    const auto given = Listener::adopt(UniqueFd{::dup(bare.get())});
    ASSERT_TRUE(given.has_value());
    EXPECT_NE(::fcntl(given->fd(), F_GETFL) & O_NONBLOCK, 0);
    EXPECT_NE(::fcntl(given->fd(), F_GETFD) & FD_CLOEXEC, 0);
    EXPECT_EQ(option(given->fd(), IPPROTO_TCP, TCP_NODELAY), 1);
    EXPECT_EQ(option(given->fd(), SOL_SOCKET, SO_ACCEPTCONN), 1);
}

TEST(GivenListener, IsNoSocketWithoutAnAddress) {
    EXPECT_FALSE(Listener::adopt(UniqueFd{::socket(AF_INET, SOCK_STREAM, 0)}).has_value());
    EXPECT_FALSE(Listener::adopt(UniqueFd{::socket(AF_UNIX, SOCK_STREAM, 0)}).has_value());
    EXPECT_FALSE(Listener::adopt(UniqueFd{::eventfd(0, 0)}).has_value());
    const UniqueFd datagrams{::socket(AF_INET, SOCK_DGRAM, 0)};
    const auto anywhere = *Address::parse("127.0.0.1", 0);
    ASSERT_EQ(::bind(datagrams.get(), anywhere.data(), anywhere.size()), 0);
    EXPECT_FALSE(Listener::adopt(UniqueFd{::dup(datagrams.get())}).has_value());
}

// Without SO_REUSEPORT nobody else can bind the port, so siblings share the queue.
TEST(GivenListener, SharesItsQueueIfItsPortCannotBeShared) {
    const UniqueFd bare{::socket(AF_INET, SOCK_STREAM, 0)};
    const auto anywhere = *Address::parse("127.0.0.1", 0);
    ASSERT_EQ(::bind(bare.get(), anywhere.data(), anywhere.size()), 0);
    auto given = Listener::adopt(UniqueFd{::dup(bare.get())});
    ASSERT_TRUE(given.has_value());
    EXPECT_FALSE(given->reserve_siblings(3));
    EXPECT_TRUE(given->reserved().empty());
    const auto sibling = given->sibling();
    ASSERT_TRUE(sibling.has_value());
    const auto peer = connect_to(given->address());
    EXPECT_EQ(accept_connection(sibling->fd()).kind, Accepted::Kind::connection);
}

TEST(GivenListener, GivesOutTheSocketsThatCameWithIt) {
    auto first = open_any();
    const auto second = first.sibling();
    ASSERT_TRUE(second.has_value());
    auto given = Listener::adopt(duplicate_of(first));
    ASSERT_TRUE(given.has_value());
    given->reserve_sibling(duplicate_of(*second));
    EXPECT_FALSE(given->reserve_siblings(1));  // there is one
    EXPECT_EQ(given->reserved().size(), 1u);
    ASSERT_TRUE(given->sibling().has_value());
    EXPECT_TRUE(given->reserved().empty());
}

TEST(GivenListener, LeavesNoQueueToNobody) {
    auto first = open_any();
    const auto second = first.sibling();
    ASSERT_TRUE(second.has_value());
    auto given = Listener::adopt(duplicate_of(first));
    ASSERT_TRUE(given.has_value());
    given->reserve_sibling(duplicate_of(*second));
    auto surplus = given->take_surplus(0);
    ASSERT_TRUE(surplus.has_value());
    ASSERT_EQ(surplus->size(), 1u);
    EXPECT_TRUE(given->reserved().empty());
    EXPECT_TRUE(surplus->front().sibling().has_value());
}

TEST(GivenListener, ListensBesideAnotherOnTheSamePort) {
    const auto narrow = open_any();
    const auto wide = *Address::parse("0.0.0.0", narrow.address().port());
    EXPECT_EQ(Listener::open(wide).error(), std::errc::address_in_use);
    EXPECT_TRUE(Listener::open_beside(wide).has_value());
}

TEST_F(ListenerOnPath, LeavesItsFileWhereItIsAskedTo) {
    {
        auto listener = open_or_throw(address());
        listener.leave_file();
    }
    EXPECT_TRUE(fs::exists(path));
}

TEST_F(ListenerOnPath, GivenOneLeavesTheFile) {
    auto listener = open_or_throw(address());
    listener.leave_file();
    ASSERT_TRUE(Listener::adopt(duplicate_of(listener)).has_value());
    EXPECT_TRUE(fs::exists(path));
}

}  // namespace
}  // namespace weir::net

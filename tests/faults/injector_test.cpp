// The injector that the other tests trust: without faults they would show nothing.

#include "faults/injector.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "net/io.h"
#include "net/unique_fd.h"

namespace weir::tests {
namespace {

struct Injection : ::testing::Test {
    ~Injection() override { injector.clear(); }
    Injector& injector = Injector::only();

    static int make_eventfd() {
        const net::UniqueFd fd{::eventfd(0, EFD_CLOEXEC)};
        return fd ? 0 : errno;
    }
};

TEST_F(Injection, FailsTheCallsThatItWasAskedForAndNoOthers) {
    injector.fail(Call::eventfd, EMFILE, 2, 2);
    EXPECT_EQ(make_eventfd(), 0);
    EXPECT_EQ(make_eventfd(), EMFILE);
    EXPECT_EQ(make_eventfd(), EMFILE);
    EXPECT_EQ(make_eventfd(), 0);
    EXPECT_EQ(injector.calls(Call::eventfd), 4);
    EXPECT_EQ(injector.failed(Call::eventfd), 2);
}

TEST_F(Injection, SparesThreadsThatAreExempt) {
    injector.exempt_all_threads();
    injector.fail(Call::eventfd, EMFILE);
    EXPECT_EQ(make_eventfd(), 0);
    injector.subject_this_thread();
    EXPECT_EQ(make_eventfd(), EMFILE);
}

TEST_F(Injection, ReachesIntoTheLibrary) {
    std::array<int, 2> ends;
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    const net::UniqueFd one{ends[0]};
    const net::UniqueFd other{ends[1]};
    std::array<char, 8> buffer;
    constexpr std::array parts{std::string_view{"ab"}, std::string_view{"cd"}};

    injector.fail(Call::sendmsg, ENOBUFS);
    EXPECT_EQ(net::send(one.get(), parts, false).error, ENOBUFS);
    injector.cap(3);
    EXPECT_EQ(net::send(one.get(), parts, false).size, 3u);
    injector.cap(1);
    EXPECT_EQ(net::receive(other.get(), buffer).size, 1u);
    EXPECT_EQ(buffer[0], 'a');
}

}  // namespace
}  // namespace weir::tests

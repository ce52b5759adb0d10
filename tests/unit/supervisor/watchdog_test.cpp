#include "supervisor/watchdog.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "net/accept.h"
#include "net/clock.h"
#include "net/listener.h"

namespace weir::supervisor {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

struct WatchdogTest : ::testing::Test {
    net::Listener listener = std::move(*net::Listener::open(*net::Address::parse("127.0.0.1", 0)));
    Instant now = net::read_clock().instant;
    Watchdog watchdog{microseconds{4'000'000}, now};

    void wait() const {
        std::vector<pollfd> watched;
        watchdog.watch(watched);
        ASSERT_EQ(watched.size(), 1u);
        ::poll(watched.data(), watched.size(), 5'000);
    }
};

TEST_F(WatchdogTest, HearsAServerThatCloses) {
    EXPECT_FALSE(watchdog.look(listener.fd(), now));
    wait();
    EXPECT_FALSE(watchdog.look(listener.fd(), now));  // has said that nothing will come
    net::accept_connection(listener.fd()).socket.reset();
    wait();
    EXPECT_TRUE(watchdog.look(listener.fd(), now));
    EXPECT_FALSE(watchdog.look(listener.fd(), now));
    now += milliseconds{1'000};
    EXPECT_FALSE(watchdog.look(listener.fd(), now));  // asks again
    wait();
}

TEST_F(WatchdogTest, HearsNothingFromOneThatDoesNotAccept) {
    EXPECT_FALSE(watchdog.look(listener.fd(), now));
    wait();
    for (int i = 0; i < 10; ++i) {
        now += milliseconds{1'000};
        EXPECT_FALSE(watchdog.look(listener.fd(), now));
    }
}

TEST_F(WatchdogTest, AsksNobodyWithoutALimit) {
    Watchdog none{microseconds{0}, now};
    EXPECT_EQ(none.next(), never);
    EXPECT_FALSE(none.look(listener.fd(), now));
    std::vector<pollfd> watched;
    none.watch(watched);
    EXPECT_TRUE(watched.empty());
}

TEST(WatchdogLimit, ComesFromTheEnvironment) {
    ::unsetenv("WATCHDOG_PID");
    for (const auto& [text, limit] : std::initializer_list<std::pair<const char*, long>>{
             {"", 0}, {"x", 0}, {"-1", 0}, {"2000000", 2'000'000}}) {
        ::setenv("WATCHDOG_USEC", text, 1);
        EXPECT_EQ(Watchdog::limit_from_environment().count(), limit) << text;
    }
    ::setenv("WATCHDOG_PID", std::to_string(::getpid() + 1).c_str(), 1);
    EXPECT_EQ(Watchdog::limit_from_environment().count(), 0);
    ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
    EXPECT_EQ(Watchdog::limit_from_environment().count(), 2'000'000);
    ::unsetenv("WATCHDOG_PID");
    ::unsetenv("WATCHDOG_USEC");
}

}  // namespace
}  // namespace weir::supervisor

#include "cli/reload/signals.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

#include <filesystem>

#include "unit/server/function_handler.h"
#include "unit/server/temporary_directory.h"

namespace weir::cli {
namespace {

using server::TemporaryDirectory;

http::Reply greet(const http::Request&) { return http::Response{}; }

server::Options options_with_log(const TemporaryDirectory& directory) {
    server::Options options;
    options.engine = "epoll-edge";
    options.port = 0;
    options.access_log.path = directory / "log";
    return options;
}

bool is_signaled(const net::EventFd& event) {
    pollfd waited{event.fd(), POLLIN, 0};
    return ::poll(&waited, 1, 0) == 1;
}

/// Tests of signals that arrive before there is a server.
struct EarlySignal : testing::TestWithParam<int> {
    EarlySignal() { take_signals(); }

    TemporaryDirectory directory;
    server::FunctionHandler handler{greet};
    server::Server server{handler, options_with_log(directory)};
    net::EventFd stopping;
};

struct EarlyReopen : EarlySignal {};

TEST_P(EarlyReopen, OpensTheLogAgainOnceThereIsAServer) {
    ::raise(GetParam());
    ASSERT_TRUE(server.listen().has_value());
    std::filesystem::rename(directory / "log", directory / "log.1");
    {
        const SignalHandlers handlers{server, stopping, {}, {}};
        EXPECT_FALSE(is_signaled(stopping));
        while (!std::filesystem::exists(directory / "log")) std::this_thread::yield();
    }
}

INSTANTIATE_TEST_SUITE_P(Signals, EarlyReopen, testing::Values(SIGUSR1, SIGHUP));

struct EarlyStop : EarlySignal {};

TEST_P(EarlyStop, EndsTheServerAsSoonAsItRuns) {
    ::raise(GetParam());
    ASSERT_TRUE(server.listen().has_value());
    const SignalHandlers handlers{server, stopping, {}, {}};
    EXPECT_TRUE(is_signaled(stopping));
    EXPECT_TRUE(server.run().has_value());
}

INSTANTIATE_TEST_SUITE_P(Signals, EarlyStop, testing::Values(SIGTERM, SIGINT));

TEST(Signals, AreTakenWhereTheParentLeftThemBlocked) {
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    take_signals();
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(::sigismember(&blocked, SIGUSR1), 0);
}

using SignalsDeathTest = EarlySignal;

TEST_F(SignalsDeathTest, TwoStopsEndAStartThatTakesTooLong) {
    EXPECT_EXIT(
        {
            ::raise(SIGTERM);
            ::raise(SIGINT);
        },
        testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace weir::cli

#include "net/child.h"

#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <new>
#include <string>

#include <array>
#include <cerrno>
#include <new>
#include <string>

#include "net/event_fd.h"

namespace weir::net {
namespace {

/// Waits again whenever a signal interrupts it.
bool wait_for(int fd) {
    pollfd watched{fd, POLLIN, 0};
    int ready = 0;
    do ready = ::poll(&watched, 1, -1);
    while (ready < 0 && errno == EINTR);
    return ready == 1;
}

Child start(StopSignal& stop, Child::Terminated terminated, const std::function<int()>& run) {
    UniqueFd nothing;
    auto child = Child::start(stop, terminated, nothing, run);
    EXPECT_TRUE(child.has_value());
    return std::move(*child);
}

TEST(Child, EndsWithWhatItReturns) {
    StopSignal stop;
    Child child = start(stop, Child::Terminated::by_anybody, [] { return 7; });
    EXPECT_TRUE(wait_for(child.fd()));
    const Exit exit = child.reap();
    EXPECT_FALSE(exit.by_signal);
    EXPECT_EQ(exit.text(), "exited with status 7");
    EXPECT_FALSE(exit.is_success());
}

TEST(Child, EndsWithAStatusWhereItHasNoMemory) {
    StopSignal stop;
    Child child =
        start(stop, Child::Terminated::by_anybody, []() -> int { throw std::bad_alloc{}; });
    EXPECT_EQ(child.reap().text(), "exited with status " + std::to_string(ENOMEM));
}

TEST(Child, SaysWhichSignalEndedIt) {
    StopSignal stop;
    Child child = start(stop, Child::Terminated::by_anybody, [] { return ::raise(SIGKILL); });
    EXPECT_EQ(child.reap().text(), "died of SIGKILL");
}

TEST(Child, IsKilledWithItsOwner) {
    StopSignal stop;
    EventFd lives;
    pid_t pid = 0;
    {
        const Child child = start(stop, Child::Terminated::by_anybody, [&] {
            lives.signal();
            return ::pause();
        });
        pid = child.pid();
        EXPECT_TRUE(wait_for(lives.fd()));
    }
    EXPECT_EQ(::waitpid(pid, nullptr, 0), -1);  // the child was reaped already
    EXPECT_EQ(errno, ECHILD);
}

TEST(Child, HearsOfTheStopFromItsParent) {
    StopSignal stop;
    Child child = start(stop, Child::Terminated::by_parent, [&] {
        wait_for(stop.descriptor(StopSignal::State::running));
        return stop.state() == StopSignal::State::draining ? 0 : 1;
    });
    stop.request_drain();
    EXPECT_TRUE(child.reap().is_success());
}

TEST(Child, FirstTerminationDrainsItTheSecondEndsIt) {
    StopSignal stop;
    EventFd lives;
    Child child = start(stop, Child::Terminated::by_anybody, [&] {
        lives.signal();
        wait_for(stop.descriptor(StopSignal::State::draining));
        return 0;
    });
    EXPECT_TRUE(wait_for(lives.fd()));
    // A terminal sends these signals to the whole process group; only the parent should react.
    for (const int signal : {SIGINT, SIGHUP, SIGUSR1}) ::kill(child.pid(), signal);
    ::kill(child.pid(), SIGTERM);
    EXPECT_TRUE(wait_for(stop.descriptor(StopSignal::State::running)));
    EXPECT_EQ(stop.state(), StopSignal::State::draining);
    ::kill(child.pid(), SIGTERM);
    EXPECT_TRUE(child.reap().is_success());
    EXPECT_EQ(stop.state(), StopSignal::State::now);
}

TEST(Child, WhoseParentDecidesIgnoresTermination) {
    StopSignal stop;
    EventFd lives, go;
    Child child = start(stop, Child::Terminated::by_parent, [&] {
        lives.signal();
        wait_for(go.fd());
        return 0;
    });
    EXPECT_TRUE(wait_for(lives.fd()));
    ::kill(child.pid(), SIGTERM);
    go.signal();
    EXPECT_TRUE(child.reap().is_success());
    EXPECT_EQ(stop.state(), StopSignal::State::running);
}

TEST(Child, IsToldToFinishByItsParentsDeath) {
    for (const auto terminated : {Child::Terminated::by_anybody, Child::Terminated::by_parent}) {
        StopSignal of_parent, of_child;
        EventFd lives;
        Child parent = start(of_parent, Child::Terminated::by_anybody, [&] {
            const Child child = start(of_child, terminated, [&] {
                lives.signal();
                wait_for(of_child.descriptor(StopSignal::State::running));
                return 0;
            });
            return ::pause();
        });
        EXPECT_TRUE(wait_for(lives.fd()));
        parent.kill();
        EXPECT_TRUE(parent.reap().by_signal);
        EXPECT_TRUE(wait_for(of_child.descriptor(StopSignal::State::running)));
    }
}

TEST(Child, TakesTheLastDescriptorForItself) {
    StopSignal stop;
    UniqueFd given{::dup(STDERR_FILENO)};
    const int number = given.get();
    auto child = Child::start(stop, Child::Terminated::by_anybody, given, [&] {
        return given ? 0 : 1;  // still open in the child
    });
    ASSERT_TRUE(child.has_value());
    EXPECT_FALSE(given);
    EXPECT_EQ(child->fd(), number);
    EXPECT_TRUE(child->reap().is_success());
}

}  // namespace
}  // namespace weir::net

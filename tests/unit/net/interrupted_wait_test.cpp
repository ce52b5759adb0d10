// A process that was stopped and goes on has its wait interrupted (signal(7)). It learns of all that
// came meanwhile before it looks at the clock: its deadlines have passed, too.

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/time.h>

#include <csignal>

#include "net/ring/ring.h"
#include "net/unique_fd.h"
#include "net/waiting/epoll.h"

namespace weir::net {
namespace {

constexpr int for_ever = -1;

int written = -1;

/// A descriptor that becomes readable while a signal interrupts a wait, soon.
class ReadableAtASignal {
   public:
    ReadableAtASignal() {
        written = fd_.get();
        struct sigaction action{};
        action.sa_handler = [](int) { ::eventfd_write(written, 1); };
        ::sigaction(SIGALRM, &action, &before_);
        constexpr itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 50'000}};
        ::setitimer(ITIMER_REAL, &soon, nullptr);
    }
    ~ReadableAtASignal() { ::sigaction(SIGALRM, &before_, nullptr); }
    ReadableAtASignal(const ReadableAtASignal&) = delete;
    ReadableAtASignal& operator=(const ReadableAtASignal&) = delete;

    int fd() const noexcept { return fd_.get(); }

   private:
    const UniqueFd fd_{::eventfd(0, EFD_CLOEXEC)};
    struct sigaction before_{};
};

TEST(InterruptedWait, OfEpollHasWhatCameMeanwhile) {
    Epoll epoll;
    ASSERT_FALSE(epoll.open());
    const ReadableAtASignal readable;
    ASSERT_TRUE(epoll.add(readable.fd(), EPOLLIN, 7));
    const auto events = epoll.wait(for_ever);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events.front().data.u64, 7u);
}

TEST(InterruptedWait, OfARingHasWhatCameMeanwhile) {
    Ring ring;
    if (const auto error = ring.open(64, 128, {})) GTEST_SKIP() << error.message();
    ASSERT_FALSE(ring.enable());
    const ReadableAtASignal readable;
    ring.poll(readable.fd(), POLLIN, 7);
    const auto completions = ring.wait(for_ever);
    ASSERT_EQ(completions.size(), 1u);
    EXPECT_EQ(completions.front().about, 7u);
}

}  // namespace
}  // namespace weir::net

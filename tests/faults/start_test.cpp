// Each call that fails while a server starts: it says so and leaves nothing behind, or it serves.

#include <array>
#include <system_error>

#include "faults/faults.h"
#include "net/listener.h"
#include "net/stop_signal.h"

namespace weir::tests {
namespace {

TEST(ListenerFaults, AreReported) {
    constexpr std::array faults{
        Fault{Call::socket, EMFILE},     Fault{Call::socket, ENFILE},
        Fault{Call::socket, EACCES},     Fault{Call::setsockopt, ENOMEM},
        Fault{Call::bind, EADDRINUSE},   Fault{Call::bind, EACCES},
        Fault{Call::listen, EADDRINUSE}, Fault{Call::getsockname, ENOBUFS},
    };
    auto& injector = Injector::only();
    const int descriptors = open_descriptors();
    for (const auto& fault : faults) {
        for (int nth = 1;; ++nth) {
            SCOPED_TRACE(to_text(fault) + ", call " + std::to_string(nth));
            injector.clear();
            injector.fail(fault.call, fault.error, nth);
            const auto listener = net::Listener::open(Server::loopback(0));
            if (injector.failed(fault.call) == 0) {
                EXPECT_GT(nth, 1) << "this call is never made";
                break;
            }
            ASSERT_FALSE(listener.has_value());
            EXPECT_EQ(listener.error().value(), fault.error);
        }
        EXPECT_EQ(open_descriptors(), descriptors);
    }
    injector.clear();
}

TEST(StopSignalFaults, AreReported) {
    auto& injector = Injector::only();
    const int descriptors = open_descriptors();
    for (const int nth : {1, 2}) {
        injector.fail(Call::eventfd, EMFILE, nth);
        EXPECT_THROW(net::StopSignal{}, std::system_error);
        injector.clear();
    }
    EXPECT_EQ(open_descriptors(), descriptors);
}

struct Start : Faults {
    // Two of each thread have all that more would have.
    Start() { options.engine.workers = 2; }

    /// False where the connection was cut, by the fault itself or with the server, or refused.
    bool answers() {
        try {
            auto peer = client();
            peer.send(get("/hello"));
            while (!peer.readable_within(milliseconds{5}) && !server().has_ended()) {}
            return !server().has_ended() && peer.answer().content == "hello\n";
        } catch (const TimedOut&) {
            throw;
        } catch (const Unexpected&) {
            return false;
        }
    }
    bool serves() {
        while (!server().has_ended())
            if (answers()) return true;
        return false;
    }
    /// Serves, or has ended with that error. False where the call is made fewer times.
    bool starts_or_says_why(const Fault& fault, int nth, int times) {
        injector.clear();
        injector.fail(fault.call, fault.error, nth, times);
        start();
        if (!serves()) {
            EXPECT_EQ(server().wait().value(), fault.error);
        }
        return injector.failed(fault.call) != 0;
    }
};
WEIR_OVER_EVERY_ENGINE(Start);

TEST_P(Start, ServesOrSaysWhyNot) {
    constexpr std::array faults{
        Fault{Call::epoll_create1, EMFILE}, Fault{Call::epoll_create1, ENOMEM},
        Fault{Call::epoll_ctl, ENOMEM},     Fault{Call::epoll_ctl, ENOSPC},
        Fault{Call::eventfd, EMFILE},       Fault{Call::eventfd, ENOMEM},
        Fault{Call::socket, EMFILE},        Fault{Call::setsockopt, ENOMEM},
        Fault{Call::bind, EADDRINUSE},      Fault{Call::listen, EADDRINUSE},
        Fault{Call::start_thread, EAGAIN},  Fault{Call::fork, EAGAIN},
        Fault{Call::fork, ENOMEM},          Fault{Call::ring_setup, EINVAL},
        Fault{Call::ring_setup, ENOSYS},    Fault{Call::ring_setup, EPERM},
        Fault{Call::ring_setup, ENOMEM},    Fault{Call::ring_register, EINVAL},
        Fault{Call::ring_register, ENOMEM},
    };
    const int descriptors = open_descriptors();
    const int threads_before = threads();
    const auto survives = [&](const Fault& fault, int nth, int times) {
        SCOPED_TRACE(to_text(fault) + ", call " + std::to_string(nth) + ", " +
                     std::to_string(times) + " times");
        const bool reached = starts_or_says_why(fault, nth, times);
        stop();
        EXPECT_EQ(open_descriptors(), descriptors);
        EXPECT_TRUE(threads_become(threads_before));
        return reached && !HasFailure();
    };
    for (const auto& fault : faults)
        for (int nth = 1; survives(fault, nth, 1); ++nth) {}
    // Where there is another way, the second may be closed like the first.
    for (const auto& fault : faults)
        if (fault.call == Call::ring_setup) survives(fault, 1, 1000);
}

/// What the server does then may fail as well, for example its announcement.
TEST_P(Start, EndsItsThreadsWhereWhatFollowsFails) {
    const int descriptors = open_descriptors();
    const int threads_before = threads();
    options.opened = [] { throw std::system_error{ENOMEM, std::generic_category()}; };
    start();
    EXPECT_EQ(server().wait().value(), ENOMEM);
    stop();
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_TRUE(threads_become(threads_before));
}

}  // namespace
}  // namespace weir::tests

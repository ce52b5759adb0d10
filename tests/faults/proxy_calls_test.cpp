// Each call that fails while a server passes requests on: it costs the requests and connections that
// it strikes, and nobody else. No descriptor stays open.

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "faults/faults.h"
#include "faults/passing_on.h"

namespace weir::tests {
namespace {

struct ProxyCalls : Faults {
    ProxyCalls() {
        injector.exempt_all_threads();  // that of the server behind it
    }
    ~ProxyCalls() override { injector.clear(); }

    /// False where fewer than `nth` such calls are made.
    bool survives(const Fault& fault, int nth) {
        SCOPED_TRACE(to_text(fault) + ", call " + std::to_string(nth));
        injector.clear();
        injector.fail(fault.call, fault.error, nth);
        try {
            PassingOn::ask(server->client());
        } catch (const TimedOut&) {
            ADD_FAILURE() << "neither a response nor an end";
        } catch (const Unexpected&) {
            EXPECT_NE(injector.failed(fault.call), 0);  // only a struck connection is cut
        }
        const bool reached = injector.failed(fault.call) != 0;
        injector.clear();
        PassingOn::expect_served(server->client());
        return reached;
    }

    PassingOn passing_on{handler};
    std::optional<Server> server;
};
WEIR_OVER_EVERY_ENGINE(ProxyCalls);

TEST_P(ProxyCalls, FaultCostsOneConnectionAtMost) {
    constexpr std::array faults{
        Fault{Call::socket, EMFILE},
        Fault{Call::socket, ENOBUFS},
        Fault{Call::connect, ECONNREFUSED},
        Fault{Call::connect, ENETUNREACH},
        Fault{Call::connect, EADDRNOTAVAIL},
        Fault{Call::connect, EAGAIN},
        Fault{Call::setsockopt, ENOMEM},
        Fault{Call::recv, ECONNRESET},
        Fault{Call::recv, EAGAIN},
        Fault{Call::recv, EINTR},
        Fault{Call::send, EPIPE},
        Fault{Call::send, EAGAIN},
        Fault{Call::send, ENOBUFS},
        Fault{Call::sendmsg, EPIPE},
        Fault{Call::sendmsg, EAGAIN},
        Fault{Call::epoll_ctl, ENOMEM},
        Fault{Call::epoll_wait, EINTR},
        Fault{Call::poll, EINTR},
        Fault{Call::poll, ENOMEM},
        Fault{Call::eventfd, EMFILE},
        Fault{Call::select, EINTR},
        Fault{Call::start_thread, EAGAIN},
        Fault{Call::ring_receive, ECONNRESET},
        Fault{Call::ring_receive, ENOBUFS},
        Fault{Call::ring_poll, ENOMEM},
        Fault{Call::ring_send, EPIPE},
        Fault{Call::ring_send, EAGAIN},
        Fault{Call::ring_enter, EINTR},
    };
    constexpr int calls_max = 8;
    const int descriptors = open_descriptors();
    server.emplace(engine(), passing_on.handler(), options);
    for (const auto& fault : faults)
        for (int nth = 1; nth <= calls_max && survives(fault, nth) && !HasFailure(); ++nth) {}
    server.reset();
    // The server behind it may close the last ones a little later.
    const auto end = std::chrono::steady_clock::now() + time_limit;
    while (open_descriptors() > descriptors && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    EXPECT_LE(open_descriptors(), descriptors);
}

}  // namespace
}  // namespace weir::tests

// Each allocation that fails while a server passes requests on: it costs the requests and connections
// that it strikes, and nobody else.

#include <optional>
#include <string>

#include "contract/contract.h"
#include "faults/failing_new.h"
#include "faults/passing_on.h"

namespace weir::tests {
namespace {

struct ProxyMemory : Contract {
    ProxyMemory() {
        FailingNew::spare_this_thread();
        options.aside = [](const auto& work) { FailingNew::spare(work); };
        options.timeouts.handler = milliseconds{1'000};  // a completion may be lost
    }
    ~ProxyMemory() override { FailingNew::clear(); }

    void exchange() try { PassingOn::ask(server->client()); } catch (const TimedOut&) {
        ADD_FAILURE() << "neither a response nor an end";
    } catch (const Unexpected&) {
        EXPECT_NE(FailingNew::failed(), 0);  // only a struck connection is cut
    }

    PassingOn passing_on{handler, FailingNew::spare_this_thread};
    std::optional<Server> server;
};
WEIR_OVER_EVERY_ENGINE(ProxyMemory);

TEST_P(ProxyMemory, AllocationThatFailsCostsOneConnectionAtMost) {
    server.emplace(engine(), passing_on.handler(), options);
    exchange();
    for (int nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth));
        FailingNew::fail(nth);
        exchange();
        const bool reached = FailingNew::failed() != 0;
        FailingNew::clear();
        PassingOn::expect_served(server->client());
        if (!reached || HasFailure()) break;
    }
}

}  // namespace
}  // namespace weir::tests

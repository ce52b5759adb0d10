// Each allocation that fails while a server passes requests on: it costs the requests and
// connections that it strikes, and nobody else.

#include "faults/outgoing_memory.h"

namespace weir::tests {
namespace {

struct ProxyMemory : OutgoingMemory {
    PassingOn passing_on{handler, FailingNew::spare_this_thread};
};
WEIR_OVER_EVERY_ENGINE(ProxyMemory);

TEST_P(ProxyMemory, AllocationThatFailsCostsOneConnectionAtMost) {
    fail_each(passing_on.handler());
}

}  // namespace
}  // namespace weir::tests

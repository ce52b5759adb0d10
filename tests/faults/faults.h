#pragma once

#include <cerrno>
#include <cstring>
#include <ostream>

#include "contract/contract.h"
#include "faults/injector.h"
#include "support/process.h"

namespace weir::tests {

/// A call, and what it fails with.
struct Fault {
    Call call;
    int error;
};

inline std::string to_text(const Fault& fault) {
    return std::string{to_text(fault.call)} + ": " + ::strerrorname_np(fault.error);
}

/// Faults strike the engine's threads, and never those that the test has.
struct Faults : Contract {
    Faults() {
        injector.clear();
        injector.exempt_all_threads();
    }
    ~Faults() override { injector.clear(); }  // the server stops undisturbed

    /// Asked of a server that runs: a ring takes its orders where no call can be failed or counted.
    bool uses_a_ring() const { return injector.calls(Call::ring_enter) > 0; }

    Injector& injector = Injector::only();
};

}  // namespace weir::tests

#define WEIR_NEEDS_CALLS() \
    if (uses_a_ring()) GTEST_SKIP() << engine().name << " does its work through a ring"

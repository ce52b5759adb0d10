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
    Faults() { injector.exempt_all_threads(); }
    ~Faults() override { injector.clear(); }

    Injector& injector = Injector::only();
};

}  // namespace weir::tests

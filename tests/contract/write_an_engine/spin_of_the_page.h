#pragma once

#include <system_error>

namespace weir::engines {

struct Host;

/// The engine that docs/write-an-engine.md leads to.
std::error_code run_spin_of_the_page(Host& host);

}  // namespace weir::engines

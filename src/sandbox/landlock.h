#pragma once

#include <expected>
#include <string>

#include "weir/sandbox/sandbox.h"

namespace weir::sandbox {

/// Restricts the calling thread, and the threads and processes that it starts, to the files of
/// `allowed` (landlock(7)). Returns the version of the kernel's interface (its ABI). After an
/// error, which gives the reason, nothing is restricted. Needs PR_SET_NO_NEW_PRIVS.
std::expected<int, std::string> restrict_files(const Allowed& allowed);

}  // namespace weir::sandbox

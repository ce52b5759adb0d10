#pragma once

#include <linux/filter.h>

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "weir/sandbox/sandbox.h"

namespace weir::sandbox {

using Program = std::vector<sock_filter>;

/// Makes the program that the kernel runs for each system call (seccomp(2)). The program allows the
/// calls that `allowed` needs.
Program filter_for(const Allowed& allowed);

/// Makes a second program, which forbids new io_uring instances and leaves every other call to the
/// first program. A thread may still enable an instance that exists.
Program filter_against_rings();

/// Installs a filter for all threads of the process. No call can remove it. Needs
/// PR_SET_NO_NEW_PRIVS. The error gives the reason.
std::expected<void, std::string> install(std::span<sock_filter> program);

}  // namespace weir::sandbox

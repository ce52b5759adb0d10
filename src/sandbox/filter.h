#pragma once

#include <linux/filter.h>

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "weir/sandbox/sandbox.h"

namespace weir::sandbox {

using Program = std::vector<sock_filter>;

/// The program that the kernel runs for each system call (seccomp(2)): it allows those that
/// `allowed` needs.
Program filter_for(const Allowed& allowed);

/// A second program, which forbids to make io_uring instances and leaves everything else to the
/// first one. It still lets a thread enable an instance that exists.
Program filter_against_rings();

/// Installs a filter for all threads of the process, which can't be taken back. Needs
/// PR_SET_NO_NEW_PRIVS. The error says why there is none.
std::expected<void, std::string> install(std::span<sock_filter> program);

}  // namespace weir::sandbox

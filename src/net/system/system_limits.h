#pragma once

#include <string>
#include <system_error>

namespace weir::net {

/// Reads limits that a process which locks itself in can't read any more (those of control groups).
/// Call it before, and before other threads; a second call does nothing.
void read_system_limits();

/// Which limit of the system a call ran into that failed so, and how to raise it: "the limit on open
/// files is 20; raise it with ulimit -n 1024 (as root), or LimitNOFILE=1024 in the unit". Empty for an
/// error that no limit causes.
std::string limit_behind(const std::error_code& error);

/// `what` with that, if there is a limit: "the engine poll cannot start: the limit on ...".
std::string with_limit(const std::string& what, const std::error_code& error);

/// How to have more descriptors: "ulimit -n 1024 (as root), or LimitNOFILE=1024 in the unit".
std::string more_descriptors();

}  // namespace weir::net

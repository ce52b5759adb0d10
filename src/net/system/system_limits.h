#pragma once

#include <string>
#include <system_error>

namespace weir::net {

/// Reads the limits of control groups, which a process in a sandbox can't read. Call it before the
/// process enters the sandbox and before it starts threads; a second call does nothing.
void read_system_limits();

/// Names the limit of the system that made a call fail with `error`, and how to raise it: "the
/// limit on open files is 20; raise it with ulimit -n 1024 (as root), or LimitNOFILE=1024 in the
/// unit". Empty for an error that no limit causes.
std::string limit_behind(const std::error_code& error);

/// Returns `what` and the result of limit_behind(), if that is not empty: "the engine poll cannot
/// start: the limit on ...".
std::string with_limit(const std::string& what, const std::error_code& error);

/// Says how to get more descriptors: "ulimit -n 1024 (as root), or LimitNOFILE=1024 in the unit".
std::string more_descriptors();

}  // namespace weir::net

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <system_error>

#include "supervisor/program.h"
#include "supervisor/state.h"

namespace weir::supervisor {

/// Replaces the supervisor by a program in the same process (execve(2)), which finds the state by
/// inherited_state(). Returns only if that fails; then the process is as it was.
std::error_code replace_supervisor(const Program& program, const State& state);

/// Returns the state that the earlier program of this process has left; nothing if there was none.
/// The error is a sentence. Removes the variable. To call before other code opens descriptors.
std::expected<std::optional<State>, std::string> inherited_state();

}  // namespace weir::supervisor

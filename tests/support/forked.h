#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace weir::tests {

/// Whether `work` returns true in a process that is forked for it.
template <typename Work>
bool in_a_forked_process(Work work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work() ? 0 : 1);
    int status = -1;
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace weir::tests

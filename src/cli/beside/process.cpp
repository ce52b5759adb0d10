#include "cli/beside/process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace weir::cli {

void become_process_beside(const char* name) {
    struct sigaction action{};
    action.sa_handler = SIG_DFL;
    for (const int each : {SIGINT, SIGTERM}) ::sigaction(each, &action, nullptr);
    action.sa_handler = SIG_IGN;
    for (const int each : {SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE}) ::sigaction(each, &action, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::prctl(PR_SET_NAME, name);
}

namespace {

/// close_range(2), for which musl has no function.
bool close_all(unsigned first, unsigned last) {
    return ::syscall(SYS_close_range, first, last, 0U) == 0;
}

}  // namespace

bool keep_only(std::span<const int> descriptors) {
    std::vector<unsigned> kept;
    for (const int each : descriptors) kept.push_back(static_cast<unsigned>(each));
    std::ranges::sort(kept);
    unsigned first = STDERR_FILENO + 1;
    for (const unsigned each : kept) {
        if (each > first && !close_all(first, each - 1)) return false;
        first = std::max(first, each + 1);
    }
    return close_all(first, ~0U);
}

}  // namespace weir::cli

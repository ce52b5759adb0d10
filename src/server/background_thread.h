#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace weir::server {

/// Starts a thread that handles no signal: signals are for the program's own threads. A write to a
/// closed pipe fails with EPIPE. Throws std::system_error if the system cannot start a thread.
template <typename Run>
std::thread start_background_thread(Run run) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    struct Restore {
        const sigset_t& mask;
        ~Restore() { ::pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } const restore{before};
    return std::thread{std::move(run)};
}

}  // namespace weir::server

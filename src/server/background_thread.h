#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace weir::server {

/// A thread that takes no signal: they are for the program's own threads. SIGPIPE becomes EPIPE.
/// Throws std::system_error where there is none to be had.
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

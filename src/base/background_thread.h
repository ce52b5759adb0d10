#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace weir {

/// Blocks all signals of this thread, and of threads that it starts, until the end of the scope:
/// the program's own threads handle signals. A write to a closed pipe fails with EPIPE then.
class NoSignals {
   public:
    NoSignals() noexcept {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

   private:
    sigset_t before_;
};

/// Starts a thread that handles no signal. Throws std::system_error if the system cannot start one.
template <typename Run>
std::thread start_background_thread(Run run) {
    const NoSignals none;
    return std::thread{std::move(run)};
}

}  // namespace weir

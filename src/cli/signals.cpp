#include "cli/signals.h"

#include <signal.h>

#include <atomic>

namespace weir::cli {
namespace {

// A signal handler has no argument of its own to find these by.
std::atomic<server::Server*> receiver{nullptr};
std::atomic<bool> stopping{false};
static_assert(std::atomic<server::Server*>::is_always_lock_free);

// Both call what is async-signal-safe alone, which keeps errno.
void on_stop(int) {
    server::Server* const server = receiver.load();
    if (!server) return;
    if (stopping.exchange(true)) {
        server->stop_now();
    } else {
        server->stop();
    }
}

void on_reopen(int) {
    if (server::Server* const server = receiver.load()) server->reopen_logs();
}

void install(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // nothing of ours waits for an interrupted call
    ::sigfillset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

SignalHandlers::SignalHandlers(server::Server& server) {
    stopping.store(false);
    receiver.store(&server);
    for (const int signal : {SIGTERM, SIGINT}) install(signal, on_stop);
    install(SIGUSR1, on_reopen);
    install(SIGPIPE, SIG_IGN);
}

// What comes while the process ends must not end it in another way; by now no thread but this one
// takes signals.
SignalHandlers::~SignalHandlers() { receiver.store(nullptr); }

}  // namespace weir::cli

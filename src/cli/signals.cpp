#include "cli/signals.h"

#include <signal.h>

#include <atomic>

namespace weir::cli {
namespace {

// A signal handler has no argument of its own to find these by.
std::atomic<server::Server*> receiver{nullptr};
std::atomic<bool> stopping{false};
std::atomic<bool> outlives_terminal{false};
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

// The kernel sends it where the terminal has gone, and with it whoever could end the server; unless
// that was foreseen (nohup).
void on_hang_up(int, siginfo_t* info, void*) {
    if (info->si_code == SI_KERNEL) {
        if (!outlives_terminal) on_stop(SIGHUP);
        return;
    }
    if (server::Server* const server = receiver.load()) server->reload();
}

void install(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // nothing of ours waits for an interrupted call
    ::sigfillset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

void install_hang_up() {
    struct sigaction action{};
    struct sigaction before{};
    action.sa_sigaction = on_hang_up;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    ::sigfillset(&action.sa_mask);
    ::sigaction(SIGHUP, &action, &before);
    if (before.sa_handler == SIG_IGN) outlives_terminal.store(true);
}

}  // namespace

SignalHandlers::SignalHandlers(server::Server& server) {
    stopping.store(false);
    receiver.store(&server);
    for (const int signal : {SIGTERM, SIGINT}) install(signal, on_stop);
    install(SIGUSR1, on_reopen);
    install_hang_up();
    install(SIGPIPE, SIG_IGN);
}

// What comes while the process ends must not end it in another way; by now no thread but this one
// takes signals.
SignalHandlers::~SignalHandlers() { receiver.store(nullptr); }

}  // namespace weir::cli

#include "cli/reload/signals.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "cli/reload/generation.h"
#include "cli/service/service.h"

namespace weir::cli {
namespace {

/// The requests of the signals so far.
struct Wanted {
    std::atomic<int> stops{0};
    std::atomic<bool> reopen{false};
    std::atomic<bool> reload{false};
    std::atomic<bool> upgrade{false};
    std::atomic<bool> retire{false};  // stop, because another process serves
};

// Global, because a signal handler gets no argument of its own.
Wanted wanted;
std::atomic<server::Server*> receiver{nullptr};
std::atomic<const net::EventFd*> stopping_event{nullptr};
std::atomic<const std::function<void()>*> before_stop{nullptr};
std::atomic<const std::function<void()>*> leave_first{nullptr};
std::atomic<pid_t> supervisor_pid{0};
std::atomic<bool> starting{true};  // no server has existed yet
std::atomic<bool> outlives_terminal{false};
static_assert(std::atomic<server::Server*>::is_always_lock_free);
static_assert(std::atomic<int>::is_always_lock_free);

// The following functions are async-signal-safe and keep errno.

void stop(server::Server& server) {
    if (wanted.stops.load() == 1) notifier().send("STOPPING=1\nSTATUS=stopping");
    if (const auto& before = *before_stop.load()) before();
    server.stop();
    if (wanted.stops.load() == 1) stopping_event.load()->signal();
}

/// Passes the requests on to the server. More than one call does no harm.
void pass_on(server::Server& server) {
    const int stops = wanted.stops.load();
    const auto& leave = *leave_first.load();
    if (stops > 1)
        server.stop_now();
    else if (stops == 1 && leave && !wanted.retire.load())
        leave();
    else if (stops == 1 || wanted.retire.load())
        stop(server);
    if (wanted.reopen.exchange(false)) server.reopen_logs();
    if (wanted.reload.exchange(false)) tell_around([&server] { server.reload(); });
}

void pass_on() {
    if (server::Server* const server = receiver.load()) pass_on(*server);
}

void on_stop(int) {
    if (++wanted.stops > 1 && starting.load()) ::_exit(exit_code::failure);
    pass_on();
}

void want_stop() {
    int none = 0;
    wanted.stops.compare_exchange_strong(none, 1);
}

/// Handles SIGTERM under a supervisor: it may be sent to all processes of a service, so that the
/// order of the supervisor comes in addition, before or after it. Only the supervisor's order cuts.
void on_stop_of_all(int) {
    want_stop();
    pass_on();
}

void on_reopen(int) {
    wanted.reopen.store(true);
    pass_on();
}

// Only a supervisor can upgrade a server. Without this handler, the signal would kill the process.
void on_upgrade(int) { wanted.upgrade.store(true); }

// The kernel sends SIGHUP when the terminal is closed. Then no user can stop the server from the
// terminal, so it stops, unless SIGHUP was ignored at the start (nohup).
void on_hang_up(int, siginfo_t* info, void*) {
    if (info->si_code == SI_KERNEL) {
        if (!outlives_terminal) on_stop(SIGHUP);
        return;
    }
    wanted.reload.store(true);
    pass_on();
}

/// Handles an order of the supervisor.
void on_order(int, siginfo_t* info, void*) {
    if (info->si_code != SI_QUEUE || info->si_pid != supervisor_pid.load()) return;
    switch (supervisor::Order{info->si_value.sival_int}) {
        case supervisor::Order::retire: wanted.retire.store(true); break;
        case supervisor::Order::stop: want_stop(); break;
        case supervisor::Order::cut: wanted.stops.store(2); break;
    }
    pass_on();
}

void install(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // no code here relies on EINTR
    ::sigfillset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

void install_orders() {
    supervisor_pid.store(::getppid());  // before the sandbox forbids the call
    struct sigaction action{};
    action.sa_sigaction = on_order;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    ::sigfillset(&action.sa_mask);
    ::sigaction(SIGUSR2, &action, nullptr);
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

sigset_t our_signals() {
    sigset_t ours;
    ::sigemptyset(&ours);
    for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2, SIGHUP}) ::sigaddset(&ours, signal);
    return ours;
}

}  // namespace

void take_signals() {
    install(SIGUSR1, on_reopen);
    if (supervisor_link()) {
        install_orders();
        install(SIGTERM, on_stop_of_all);
        for (const int signal : {SIGINT, SIGHUP}) install(signal, SIG_IGN);
    } else {
        for (const int signal : {SIGTERM, SIGINT}) install(signal, on_stop);
        install(SIGUSR2, on_upgrade);
        install_hang_up();
    }
    for (const int signal : {SIGPIPE, SIGXFSZ})
        install(signal, SIG_IGN);  // write(2) then fails
                                   // instead
    const sigset_t ours = our_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
}

SignalsSoFar hold_signals() noexcept {
    const sigset_t ours = our_signals();
    ::pthread_sigmask(SIG_BLOCK, &ours, nullptr);
    return {.stops = wanted.stops.load(),
            .reload = wanted.reload.load(),
            .upgrade = wanted.upgrade.load(),
            .outlives_terminal = outlives_terminal.load()};
}

SignalHandlers::SignalHandlers(server::Server& server, const net::EventFd& stopping,
                               std::function<void()> before, std::function<void()> leave)
    : before_{std::move(before)}, leave_{std::move(leave)} {
    stopping_event.store(&stopping);
    before_stop.store(&before_);
    leave_first.store(&leave_);
    receiver.store(&server);
    starting.store(false);
    pass_on(server);
}

void SignalHandlers::stop() noexcept {
    if (server::Server* const server = receiver.load()) cli::stop(*server);
}

// Signals that arrive while the process ends must not stop anything again.
SignalHandlers::~SignalHandlers() {
    receiver.store(nullptr);
    wanted.stops.store(0);
}

}  // namespace weir::cli

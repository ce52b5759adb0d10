#include "net/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <new>

#include "base/last_error.h"
#include "net/open_process.h"
#include "net/uninterrupted.h"

namespace weir::net {
namespace {

// State of the signal handlers, which get no argument that could carry it. Used in children only.
std::atomic<StopSignal*> stop_of_child{nullptr};
std::atomic<bool> terminated_before{false};

void on_terminate(int) {
    if (terminated_before.exchange(true)) {
        stop_of_child.load()->request_now();
    } else {
        stop_of_child.load()->request_drain();
    }
}

// A signal that users rarely send to a process group. It comes once for each thread of the parent.
constexpr int parent_died = SIGUSR2;
void on_parents_death(int) { stop_of_child.load()->request_drain(); }

/// Blocks all signals from before the fork until the child has its own handlers: the parent's
/// handlers would act on behalf of the parent.
class SignalsBlocked {
   public:
    SignalsBlocked() noexcept {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { end(); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

    /// The signal is unblocked at the end, even if the parent's thread had blocked it.
    void let_through(int signal) noexcept { ::sigdelset(&before_, signal); }
    void end() noexcept { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

   private:
    sigset_t before_;
};

void handle(int signal, void (*handler)(int)) noexcept {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // no code here relies on interrupted calls
    ::sigaction(signal, &action, nullptr);
}

void take_signals(StopSignal& stop, Child::Terminated terminated, pid_t parent) noexcept {
    stop_of_child = &stop;
    terminated_before = false;
    for (const int ignored : {SIGINT, SIGHUP, SIGUSR1, SIGXFSZ}) handle(ignored, SIG_IGN);
    handle(SIGTERM, terminated == Child::Terminated::by_anybody ? on_terminate : SIG_IGN);
    handle(parent_died, on_parents_death);
    ::prctl(PR_SET_PDEATHSIG, parent_died);
    if (::getppid() != parent) stop.request_drain();  // the parent died before prctl(2)
}

/// Any other exception ends the process here (noexcept): the child must not go on as a second
/// parent.
int call(const std::function<int()>& run) noexcept try {
    return run();
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

/// "KILL"; null if the C library can't tell. sigabbrev_np(3) is glibc's alone.
const char* abbreviation([[maybe_unused]] int signal) noexcept {
#ifdef __GLIBC__
    return ::sigabbrev_np(signal);
#else
    return nullptr;
#endif
}

}  // namespace

Exit reap_child(pid_t pid) noexcept {
    int status = 0;
    uninterrupted([&] { return ::waitpid(pid, &status, 0); });
    if (WIFSIGNALED(status)) return {.by_signal = true, .number = WTERMSIG(status)};
    return {.by_signal = false, .number = WEXITSTATUS(status)};
}

std::string Exit::text() const {
    if (!by_signal) return "exited with status " + std::to_string(number);
    const char* const name = abbreviation(number);
    return name ? std::string{"died of SIG"} + name : "died of signal " + std::to_string(number);
}

std::expected<Child, std::error_code> Child::start(StopSignal& stop, Terminated terminated,
                                                   UniqueFd& given,
                                                   const std::function<int()>& run) {
    if (!given)
        given.reset(::fcntl(stop.descriptor(StopSignal::State::running), F_DUPFD_CLOEXEC, 0));
    if (!given) return std::unexpected{last_error()};
    const pid_t parent = ::getpid();
    SignalsBlocked blocked;
    const pid_t pid = ::fork();
    if (pid == 0) {
        take_signals(stop, terminated, parent);
        for (const int signal : {SIGTERM, parent_died}) blocked.let_through(signal);
        blocked.end();
        ::_exit(call(run));
    }
    if (pid < 0) return std::unexpected{last_error()};
    Child child{pid};
    given.reset();
    child.pidfd_ = open_process(pid);
    if (!child.pidfd_) return std::unexpected{make_error_code(killed_at_birth)};
    return child;
}

Child::~Child() {
    if (pid_ == 0) return;
    kill();
    reap_child(pid_);
}

// The process is not reaped yet, so no other process can have its number.
void Child::kill() const noexcept { ::kill(pid_, SIGKILL); }

Exit Child::reap() noexcept { return reap_child(std::exchange(pid_, 0)); }

}  // namespace weir::net

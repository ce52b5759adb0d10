#include "cli/beside/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <optional>
#include <span>

#include "base/last_error.h"
#include "base/readable_time.h"
#include "base/troubles.h"
#include "net/child.h"
#include "net/clock.h"
#include "net/open_process.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"
#include "server/log/trouble_reports.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds for_ever{-1};

void tell(const std::string& sentence) {
    server::standard_error_log().write(server::Severity::warning, sentence);
}

/// The signals of a service are for the server, which decides when to stop, although a terminal
/// sends SIGINT to all processes, and some managers of services SIGTERM. The keeper ends with it.
void ignore_signals() {
    struct sigaction action{};
    action.sa_handler = SIG_IGN;
    for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE})
        ::sigaction(each, &action, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

/// close_range(2), for which musl has no function.
bool close_all(unsigned first, unsigned last) {
    return ::syscall(SYS_close_range, first, last, 0U) == 0;
}

/// Closes all descriptors but the standard ones and these: a listening socket of the server would
/// accept connections that nobody serves. False if the system can't.
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

/// True if one of the descriptors becomes readable within that time.
bool wait_for(std::span<pollfd> watched, milliseconds time) {
    return net::uninterrupted([&] {
               return ::poll(watched.data(), watched.size(), static_cast<int>(time.count()));
           }) > 0;
}

bool ends_within(milliseconds time, const net::UniqueFd& server) {
    std::array watched{pollfd{server.get(), POLLIN, 0}};
    return wait_for(watched, time);
}

/// Of the process that runs: for its signal handler.
struct LastWords {
    std::string sentence{};
    int server = -1;
};
LastWords& last_words() noexcept {
    static LastWords words;
    return words;
}

/// Nothing starts this process again, and the server, in its sandbox, can start no keeper. If the
/// server has ended, too, because all processes of the service are killed, there is nothing to say.
/// All calls are async-signal-safe (signal-safety(7)).
void end_without_keeper(int /*signal*/) noexcept {
    pollfd server{last_words().server, POLLIN, 0};
    if (::poll(&server, 1, 0) == 0) {
        troubles().note(Trouble::workers);
        server::standard_error_log().write(server::Severity::warning, last_words().sentence);
    }
    ::_exit(1);
}

/// The signal is one that nothing else sends.
void end_with_keeper(const BesideProcess& beside, pid_t keeper, int server) {
    last_words() = {.sentence = std::string{beside.in_words} +
                                " ends, because weir-keeper, which starts it again, was killed; "
                                "a restart or `weir reload` starts both",
                    .server = server};
    server::standard_error_log();  // made before the handler needs it
    struct sigaction action{};
    action.sa_handler = end_without_keeper;
    ::sigaction(SIGRTMAX, &action, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGRTMAX);
    if (::getppid() != keeper) end_without_keeper(SIGRTMAX);  // already dead
}

[[noreturn]] void run(const BesideProcess& beside, pid_t keeper, const net::UniqueFd& server) {
    ::prctl(PR_SET_NAME, beside.name);
    try {
        end_with_keeper(beside, keeper, server.get());
        ::_exit(beside.run());
    } catch (const std::exception& error) {
        tell(std::string{beside.in_words} + " ends: " + error.what());
    }
    ::_exit(1);
}

std::string cannot_start() { return "could not be started: " + last_error().message(); }

/// Returns how the process has ended; nothing if no further one is needed.
std::optional<std::string> run_once(const BesideProcess& beside, const net::UniqueFd& server) {
    const pid_t keeper = ::getpid();
    const pid_t started = ::fork();
    if (started == 0) run(beside, keeper, server);
    if (started < 0) return cannot_start();
    const net::UniqueFd end = net::open_process(started);
    const std::string why = end ? std::string{} : cannot_start();
    std::array watched{pollfd{server.get(), POLLIN, 0}, pollfd{end.get(), POLLIN, 0}};
    if (end) wait_for(watched, for_ever);
    const bool is_over = watched[0].revents != 0;
    if (!end || is_over) ::kill(started, SIGKILL);
    const net::Exit exit = net::reap_child(started);
    if (is_over || exit.is_success()) return std::nullopt;
    return why.empty() ? exit.text() : why;
}

/// Returns when no further process is needed. A signal at the death of the server
/// (PR_SET_PDEATHSIG) would not come, because in its sandbox the server sends none to processes
/// outside (landlock(7), LANDLOCK_SCOPE_SIGNAL).
void keep_running(const BesideProcess& beside, const net::UniqueFd& server) {
    net::RestartDelay delay{beside.pauses};
    for (;;) {
        const auto began = net::read_instant();
        const auto how = run_once(beside, server);
        if (!how) return;
        const auto pause = delay.after_death(net::read_instant() - began);
        troubles().note(Trouble::workers);
        tell(std::string{beside.in_words} + ' ' + *how + "; the next one begins " +
             (pause.count() == 0 ? "at once" : "in " + readable_time(pause)));
        if (ends_within(pause, server)) return;
    }
}

[[noreturn]] void become_keeper(const BesideProcess& beside, pid_t of_server) try {
    ::prctl(PR_SET_NAME, "weir-keeper");
    ignore_signals();
    if (!keep_only(beside.descriptors)) ::_exit(1);
    const net::UniqueFd server = net::open_process(of_server);
    if (!server || ::getppid() != of_server) ::_exit(1);
    if (beside.await_begin && !beside.await_begin()) ::_exit(0);
    keep_running(beside, server);
    if (beside.ended) beside.ended();
    ::_exit(0);
} catch (const std::exception& error) {
    tell(std::string{beside.in_words} + " ends: " + error.what());
    ::_exit(1);
}

}  // namespace

std::string start_beside(const BesideProcess& beside) {
    server::OperatorWarnings::share_with_forks();
    const pid_t server = ::getpid();
    const pid_t keeper = ::fork();
    if (keeper == 0) become_keeper(beside, server);
    return keeper > 0 ? std::string{} : std::string{beside.in_words} + ' ' + cannot_start();
}

}  // namespace weir::cli

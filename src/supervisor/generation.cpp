#include "supervisor/generation.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/last_error.h"
#include "base/troubles.h"
#include "net/open_process.h"
#include "supervisor/systemd/watchdog.h"

namespace weir::supervisor {
namespace {

void keep_open(int fd) noexcept { ::fcntl(fd, F_SETFD, 0); }

/// Returns only after an error.
std::error_code execute_with(const Handover& given, const Program& program, pid_t supervisor) try {
    keep_open(given.channel);
    for (const int fd : given.sockets) keep_open(fd);
    if (given.settings >= 0) keep_open(given.settings);
    if (given.tickets >= 0) keep_open(given.tickets);
    if (given.counters >= 0) keep_open(given.counters);
    if (const auto error = set_variable(generation_variable, write_handover(given))) return error;
    if (!pass_on(program.passed) || !pass_on_watchdog(program.watchdog))
        return std::make_error_code(std::errc::not_enough_memory);
    Link::stop_with_supervisor();
    if (::getppid() != supervisor) ::_exit(EXIT_FAILURE);
    let_signals_through();
    return supervisor::execute(program);
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
}

void say_why(int channel, const Program& program, std::error_code error) noexcept try {
    static_cast<void>(send_message(channel, Message::Kind::said,
                                   "cannot run " + program.file + ": " + error.message()));
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

/// Runs in the child. The supervisor has one thread, so all functions may be called here. No
/// exception may leave it, because the child would go on as a second supervisor.
[[noreturn]] void become_generation(const Program& program, const Handover& given,
                                    pid_t supervisor) noexcept {
    const auto error = execute_with(given, program, supervisor);
    say_why(given.channel, program, error);
    ::_exit(Generation::cannot_run);
}

}  // namespace

std::expected<Generation, std::error_code> Generation::start(const Program& program, Handover given,
                                                             Instant now) {
    auto channel = open_channel();
    if (!channel) return std::unexpected{channel.error()};
    given.channel = channel->generation.get();
    const pid_t supervisor = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) become_generation(program, given, supervisor);
    if (pid < 0) return std::unexpected{last_error()};
    auto pidfd = net::open_process(pid);
    if (!pidfd) {
        const auto error = last_error();
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        return std::unexpected{error};
    }
    Generation generation{given.number, pid, std::move(channel->supervisor), std::move(pidfd), now};
    generation.version_ = program.version;
    return generation;
}

Generation Generation::resume(const KeptGeneration& kept, Instant now) {
    Generation generation{kept.number, kept.pid, net::UniqueFd{kept.channel},
                          net::UniqueFd{kept.pidfd}, now - kept.lived};
    generation.stops_within_ = kept.stops_within;
    generation.settings_.reset(kept.settings);
    generation.version_ = kept.version;
    return generation;
}

KeptGeneration Generation::keep(Instant now) const {
    return {.number = number_,
            .pid = pid_,
            .channel = channel_.get(),
            .pidfd = pidfd_.get(),
            .settings = settings_.get(),
            .stops_within = stops_within_.value_or(std::chrono::milliseconds{0}),
            .lived = lived(now),
            .version = version_};
}

std::string Generation::name() const {
    return "generation " + std::to_string(number_) + " (pid " + std::to_string(pid_) + ")";
}

void Generation::watch(std::vector<pollfd>& watched) const {
    watched.push_back({pidfd_.get(), POLLIN, 0});
    if (!is_silent_) watched.push_back({channel_.get(), POLLIN, 0});
}

void Generation::listen() {
    pollfd state{channel_.get(), 0, 0};
    is_silent_ = ::poll(&state, 1, 0) > 0 && (state.revents & POLLHUP) != 0;
    while (auto message = receive_message(channel_.get())) {
        switch (message->kind) {
            case Message::Kind::socket:
                if (message->fd) sockets_.push_back(std::move(message->fd));
                break;
            case Message::Kind::settings: settings_ = std::move(message->fd); break;
            case Message::Kind::tickets: tickets_ = std::move(message->fd); break;
            case Message::Kind::counters: counters_ = std::move(message->fd); break;
            case Message::Kind::changed: changed_ = std::move(message->text); break;
            case Message::Kind::said:
                said_ = message->text.substr(0, message->text.find('\n'));
                break;
            case Message::Kind::alive: is_alive_ = true; break;
            case Message::Kind::ready: stops_within_ = read_time(message->text); break;
        }
    }
}

void Generation::order(Order order) const noexcept {
    // The process is not reaped yet, so no other process has its number.
    ::sigqueue(pid_, SIGUSR2, {.sival_int = std::to_underlying(order)});
}

void Generation::kill() const noexcept { ::kill(pid_, SIGKILL); }

std::optional<net::Exit> Generation::reap() noexcept {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    if (WIFSIGNALED(status)) return net::Exit{.by_signal = true, .number = WTERMSIG(status)};
    return net::Exit{.by_signal = false, .number = WEXITSTATUS(status)};
}

}  // namespace weir::supervisor

#include "supervisor/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/last_error.h"

namespace weir::supervisor {

std::expected<Signals, std::error_code> Signals::open() {
    sigset_t wanted;
    ::sigemptyset(&wanted);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD})
        ::sigaddset(&wanted, signal);
    ::pthread_sigmask(SIG_BLOCK, &wanted, nullptr);
    net::UniqueFd fd{::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (!fd) return std::unexpected{last_error()};
    return Signals{std::move(fd)};
}

std::optional<Signalled> Signals::take() const noexcept {
    signalfd_siginfo info{};
    if (::read(fd_.get(), &info, sizeof info) != sizeof info) return std::nullopt;
    const auto number = static_cast<int>(info.ssi_signo);
    return Signalled{number, number == SIGHUP && info.ssi_code == SI_KERNEL};
}

}  // namespace weir::supervisor

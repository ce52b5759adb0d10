#include "cli/launch/certificate_keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <span>
#include <string_view>

#include "acme/acme.h"
#include "base/last_error.h"
#include "cli/beside/process.h"
#include "net/open_process.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"
#include "net/write_all.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

void tell(bool is_failure, std::string_view sentence) {
    server::standard_error_log().write(
        is_failure ? server::Severity::warning : server::Severity::info, sentence);
}

/// True if one of the descriptors becomes readable within that time.
bool wait_for(std::span<pollfd> watched, int milliseconds) {
    return net::uninterrupted(
               [&] { return ::poll(watched.data(), watched.size(), milliseconds); }) > 0;
}

[[noreturn]] void ask_cas(const acme::Settings& settings, pid_t starter) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != starter) ::_exit(1);  // the starter has died before
    try {
        tell(true, "no certificates are renewed: " + acme::keep(settings, tell));
    } catch (const std::exception& error) {
        tell(true, std::string{"no certificates are renewed: "} + error.what());
    }
    ::_exit(1);
}

/// Starts a process that asks CAs, and another one when it has died. Ends with the server: a signal
/// at its death (PR_SET_PDEATHSIG) would not come, because in its sandbox the server sends none to
/// processes outside (landlock(7), LANDLOCK_SCOPE_SIGNAL).
[[noreturn]] void keep_asking(const acme::Settings& settings, const net::UniqueFd& server) {
    constexpr int first_pause = 1'000, pause_max = 3'600'000, for_ever = -1;
    const pid_t own = ::getpid();
    for (int pause = first_pause;; pause = std::min(2 * pause, pause_max)) {
        const pid_t asking = ::fork();
        if (asking == 0) ask_cas(settings, own);
        const net::UniqueFd its_end = asking > 0 ? net::open_process(asking) : net::UniqueFd{};
        std::array<pollfd, 2> ends{{{server.get(), POLLIN, 0}, {its_end.get(), POLLIN, 0}}};
        if (its_end) wait_for(ends, for_ever);
        if (ends[0].revents != 0) ::_exit(0);
        if (asking > 0) {
            ::kill(asking, SIGKILL);
            ::waitpid(asking, nullptr, 0);
        }
        tell(true, "the process that keeps certificates has ended; the next one begins in " +
                       std::to_string(pause / 1'000) + " s");
        if (wait_for(std::span{ends}.first(1), pause)) ::_exit(0);
    }
}

[[noreturn]] void become_keeper(const acme::Settings& settings, pid_t server, int go) {
    become_process_beside("weir-acme");
    if (!keep_only(std::array{go})) ::_exit(1);
    const net::UniqueFd end_of_server = net::open_process(server);
    if (!end_of_server || ::getppid() != server) ::_exit(1);
    char byte = 0;
    if (net::uninterrupted([&] { return ::read(go, &byte, 1); }) != 1) ::_exit(1);
    try {
        keep_asking(settings, end_of_server);
    } catch (const std::exception& error) {
        tell(true, std::string{"no certificates are renewed: "} + error.what());
    }
    ::_exit(1);
}

std::string cannot_start() {
    return "cannot start the process that keeps certificates: " + last_error().message();
}

}  // namespace

std::string CertificateKeeper::start(const acme::Settings& settings) {
    if (settings.hosts.empty()) return {};
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot_start();
    const net::UniqueFd reader{ends[0]};
    go_ = net::UniqueFd{ends[1]};
    const pid_t server = ::getpid();
    const pid_t keeper = ::fork();
    if (keeper == 0) become_keeper(settings, server, reader.get());
    return keeper > 0 ? std::string{} : cannot_start();
}

void CertificateKeeper::begin() {
    if (go_) net::write_all(go_.get(), "!");
    go_ = {};
}

}  // namespace weir::cli

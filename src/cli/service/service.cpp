#include "cli/service/service.h"

#include <unistd.h>

#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "cli/help/output.h"
#include "supervisor/systemd/watchdog.h"

namespace weir::cli {
namespace {

// Global, because signal handlers need the notifier, and the reader of options needs the sockets.
supervisor::PassedSockets passed;
supervisor::Notifier to_systemd;
std::chrono::microseconds watched{0};
std::string last_error;
int last_errno = 0;

}  // namespace

void attach_to_systemd() {
    passed = supervisor::take_passed_sockets();
    watched = supervisor::take_watchdog();
    auto notifier = supervisor::take_notifier();
    if (!notifier) return say_error("weir: " + notifier.error() + '\n');
    if (!notifier->is_on()) return;
    to_systemd = std::move(*notifier);
    copy_errors_to([](std::string_view text) { last_error = text; });
}

const supervisor::PassedSockets& passed_sockets() noexcept { return passed; }

void close_passed_sockets() noexcept {
    for (const supervisor::PassedSocket& each : passed.sockets) ::close(each.fd);
    passed = {};
}

const supervisor::Notifier& notifier() noexcept { return to_systemd; }

std::chrono::microseconds watchdog() noexcept { return watched; }

void keep_errno(int number) noexcept { last_errno = number; }

void tell_failure(int exit_code) noexcept try {
    if (exit_code == exit_code::success || last_error.empty()) return;
    const int number = exit_code == exit_code::wrong_use ? EINVAL : last_errno;
    to_systemd.send(supervisor::status_line(last_error) +
                    (number == 0 ? "" : "\nERRNO=" + std::to_string(number)));
} catch (const std::bad_alloc&) {
    return;  // the exit code says it, too
}

}  // namespace weir::cli

#pragma once

#include <chrono>

#include "supervisor/systemd/notifier.h"
#include "supervisor/systemd/passed_sockets.h"

namespace weir::cli {

/// Takes what systemd has given to this process: sockets, and the socket for messages about its
/// state. From now on, the last error on standard error is kept for tell_failure(). To call first
/// in main(), after attach_to_supervisor().
void attach_to_systemd();

/// The sockets that systemd has passed to this process.
const supervisor::PassedSockets& passed_sockets() noexcept;
/// Closes the sockets, which the server has duplicated.
void close_passed_sockets() noexcept;

/// For messages to systemd. It sends nothing in a process that systemd has not started, and in one
/// that a supervisor has started, which speaks for all its generations.
const supervisor::Notifier& notifier() noexcept;

/// Reloads without a new process: RELOADING=1 before `reload`, and READY=1 behind it.
/// Async-signal-safe if `reload` is.
template <typename Reload>
void tell_around(Reload reload) noexcept {
    notifier().tell_reloading();
    reload();
    notifier().send("READY=1");
}

/// The time after which systemd ends a server without a sign of life; 0: it does not.
std::chrono::microseconds watchdog() noexcept;

/// Keeps the number of the error that ends the command, for tell_failure().
void keep_errno(int number) noexcept;
/// Sends the last error of a command that has failed: STATUS=, and ERRNO= if its number is known.
void tell_failure(int exit_code) noexcept;

}  // namespace weir::cli

#pragma once

#include <sys/types.h>

#include <chrono>

namespace weir::supervisor {

/// Reads the values of WATCHDOG_USEC and WATCHDOG_PID; null: the variable is not set. Returns the
/// time after which systemd ends a service without a sign of life; 0: it does not watch the process
/// `own`. sd_watchdog_enabled(3)
std::chrono::microseconds read_watchdog(const char* microseconds, const char* pid, pid_t own);

/// Reads the variables of this process, and removes them. To call while the process has one thread.
std::chrono::microseconds take_watchdog();

/// Sets the variables for the program that this process is about to execute. Returns false if there
/// is no memory.
bool pass_on_watchdog(std::chrono::microseconds watchdog);

}  // namespace weir::supervisor

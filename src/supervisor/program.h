#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "net/unique_fd.h"
#include "supervisor/systemd/passed_sockets.h"

namespace weir::supervisor {

/// A program to execute: a file, and the arguments that the user gave.
struct Program {
    std::string file;
    std::vector<std::string> arguments;  // the first one is the program's name
    std::string version{};               // of weir, for messages
    /// Keeps the descriptor open that `file` names, if it names one.
    std::shared_ptr<const net::UniqueFd> held{};
    // For each process that runs it:
    PassedSockets passed{};
    std::chrono::microseconds watchdog{0};  // see read_watchdog()
};

/// Blocks no signal any more, as a program that is executed expects it.
void let_signals_through() noexcept;

/// Replaces this process by the program (execv(3)). Returns only if that fails.
std::error_code execute(const Program& program);

// Both change the environment of this process, which must have one thread.
std::error_code set_variable(const char* name, const std::string& value);
void remove_variable(const char* name);

}  // namespace weir::supervisor

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"
#include "supervisor/handover.h"

namespace weir::supervisor {

inline constexpr const char* supervisor_variable = "WEIR_SUPERVISOR";

struct Settings {
    std::string command;                 // for messages: "weir serve"
    std::vector<std::string> arguments;  // of this process, its name first
    std::string file;                    // what an upgrade executes
    std::optional<net::Address> control;
    std::chrono::milliseconds ready_timeout{0};  // 0: no limit
    std::chrono::milliseconds stops_within{0};   // how long a stop may take
    /// Signals that came before this: to stop, and to reload.
    int early_stops = 0;
    bool early_reload = false;
    /// SIGHUP was ignored from the start (nohup): the end of the terminal is none.
    bool outlives_terminal = false;
    std::function<void(std::string_view line)> say;  // on standard error
};

/// Runs a server as generations, each a process with the same arguments, until a signal or a request
/// stops it:
///
/// - SIGHUP and `reload` start a new generation from the program that runs. Once it serves, the one
///   before finishes its requests. If it does not get ready, all stays as it was.
/// - SIGUSR2 and `upgrade` do the same from `file`. Then this process becomes that program, too.
/// - A generation that dies is started again.
///
/// This process keeps the privileges that it was started with, and the sockets. It reads nothing that
/// comes from a network. Call it while the process has one thread. Returns an exit code.
int supervise(const Settings& settings);

}  // namespace weir::supervisor

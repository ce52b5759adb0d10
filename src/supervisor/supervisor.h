#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "net/address.h"
#include "supervisor/program.h"

namespace weir::supervisor {

struct Settings {
    std::string command;  // for messages: "weir serve"
    Program program;      // what each generation executes
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

/// Runs a server as generations, each a process of its own, until a signal or a request stops it.
///
/// - SIGHUP and `reload` start a new generation. Once it serves, the one before finishes its
///   requests. If it does not get ready, all stays as it was.
/// - A generation that dies is started again.
///
/// This process keeps the privileges that it was started with, and the sockets. It reads nothing that
/// comes from a network. Call it while the process has one thread. Returns an exit code.
int supervise(const Settings& settings);

}  // namespace weir::supervisor

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
    Program program;      // executed by each generation
    std::optional<net::Address> control;
    std::chrono::milliseconds ready_timeout{0};  // 0: no limit
    std::chrono::milliseconds stops_within{0};   // how long a stop may take
    /// Signals that came before supervise(): the number of stops, and whether a reload was
    /// requested.
    int early_stops = 0;
    bool early_reload = false;
    /// SIGHUP was ignored at the start (nohup): the end of the terminal does not stop the server.
    bool outlives_terminal = false;
    std::function<void(std::string_view line)> say;  // on standard error
};

/// Runs a server as generations, each a process of its own, until a signal or a request stops it.
///
/// - SIGHUP and `reload` start a new generation. Once it serves, the one before finishes its
///   requests. If it does not get ready, the one before goes on.
/// - A generation that dies is started again.
///
/// This process keeps its initial privileges, and the sockets. It reads no data from a network.
/// Call this function while the process has one thread. Returns an exit code.
int supervise(const Settings& settings);

}  // namespace weir::supervisor

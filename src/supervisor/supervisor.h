#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "net/address.h"
#include "supervisor/program.h"
#include "supervisor/state.h"
#include "supervisor/systemd/notifier.h"

namespace weir::supervisor {

struct Settings {
    std::string command;  // for messages: "weir serve"
    Program program;      // executed by each generation, and of the supervisor itself
    std::string path{};   // of the file that an upgrade executes
    std::optional<net::Address> control;
    std::chrono::milliseconds ready_timeout{0};  // 0: no limit
    std::chrono::milliseconds stops_within{0};   // how long a stop may take
    /// Signals that came before supervise(): the number of stops, and whether a reload or an
    /// upgrade was requested.
    int early_stops = 0;
    bool early_reload = false;
    bool early_upgrade = false;
    /// SIGHUP was ignored at the start (nohup): the end of the terminal does not stop the server.
    bool outlives_terminal = false;
    std::function<void(std::string_view line)> say;  // on standard error
    const Notifier& notifier;                        // to systemd
};

/// Runs a server as generations, each a process of its own, until a signal or a request stops it.
///
/// - SIGHUP and `reload` start a new generation. Once it serves, the one before finishes its
///   requests. If it does not get ready, the one before goes on.
/// - SIGUSR2 and `upgrade` do the same with the program file that is then at Settings::path. Once
///   its generation serves, it replaces the supervisor, too: the process stays, with what it has.
/// - A generation that dies is started again.
///
/// This process keeps its initial privileges, and the sockets. It reads no data from a network.
/// Call this function while the process has one thread. Returns an exit code.
int supervise(const Settings& settings);
/// The same for the program that has replaced the one before.
int go_on(const Settings& settings, State state);

}  // namespace weir::supervisor

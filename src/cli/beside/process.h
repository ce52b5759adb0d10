#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/restart_delay.h"

namespace weir::cli {

/// A process beside the server.
struct BesideProcess {
    const char* name;           // for ps(1), of at most 15 bytes
    std::string_view in_words;  // for messages: "the process of --admin"
    net::RestartLimits pauses{};
    std::vector<int> descriptors{};  // to keep open, beside the standard ones
    /// Called once, before run(): waits for the moment to begin. False: the process is not needed.
    std::function<bool()> await_begin{};
    /// Called in each process. Returns its exit status: after 0, it is not started again.
    std::function<int()> run;
    /// Called once, after the last process has ended.
    std::function<void()> ended{};
};

/// Starts a process that starts the other one, and starts it again if it has died: at once, or after
/// a pause if it dies again and again. Each death is a line in the log, and a trouble of the kind
/// `workers`. Both processes end with this one. To call in a process with one thread, before it
/// enters the sandbox, in which it can start no process. Returns the reason why it can't, as a
/// sentence; empty if it can.
std::string start_beside(const BesideProcess& beside);

}  // namespace weir::cli

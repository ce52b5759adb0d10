#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace weir::supervisor {

/// A socket that systemd has opened and passed on. sd_listen_fds(3)
struct PassedSocket {
    int fd = -1;
    std::string name;     // FileDescriptorName=; "unknown" if systemd told none
    std::string fault{};  // from fault_of_socket(), at the start
};

/// The sockets that a process got at its start, in their order.
struct PassedSockets {
    std::vector<PassedSocket> sockets{};
    std::string why_none{};  // the reason in words, if there are none
};

/// The values of LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES; null: the variable is not set.
struct ListenVariables {
    const char* pid = nullptr;
    const char* count = nullptr;
    const char* names = nullptr;
};

/// Reads the variables for the process `own`. They are those of another process if LISTEN_PID is
/// not `own`: a process inherits the variables of its parent.
PassedSockets read_passed_sockets(const ListenVariables& variables, pid_t own);

/// Reads the variables of this process, and removes them, so that no child takes them for its own.
/// The descriptors close on exec from now on. To call while the process has one thread.
PassedSockets take_passed_sockets();

/// Gives the sockets to the program that this process is about to execute. Sets the variables, and
/// keeps the descriptors open. Returns false if there is no memory.
bool pass_on(const PassedSockets& passed);

/// Returns the reason why a server can't accept connections from the descriptor: "is no socket".
/// Empty if it can.
std::string fault_of_socket(int fd);

}  // namespace weir::supervisor

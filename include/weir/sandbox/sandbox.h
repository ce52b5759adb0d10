#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/requires_cxx23.h"

namespace weir::sandbox {

/// The rights that the process still needs after enter(). Paths that do not exist are ignored.
struct Allowed {
    /// Files, and folders with everything below them: to read and to list.
    std::vector<std::string> read{};
    /// Files to write, and to make again after they were renamed. For that, enter() allows writing
    /// to every file of their folders. If a path names a device, a FIFO or a terminal, enter()
    /// allows only this path.
    std::vector<std::string> write{};
    /// Unix sockets to remove at the end. For that, enter() allows removing every file of their
    /// folders.
    std::vector<std::string> remove{};
    /// Folders in which, and below which, the process may make, replace and remove regular files.
    /// This does not include the right to read them.
    std::vector<std::string> uploads{};
    /// Folders in which, and below which, the process may do all of that, make, move and remove
    /// folders, and set extended attributes.
    std::vector<std::string> folders{};
    /// TCP ports to which the process may connect, on any machine.
    std::vector<std::uint16_t> ports{};
    bool unix_sockets = false;  // connect to unix sockets
    bool processes = false;     // start processes: the engines prefork and fork-per-connection
    bool rings = false;         // io_uring(7): the engine io-uring
};

/// The limits of enter(), each in a few words for the operator.
struct Report {
    std::vector<std::string> on{};   // "files (Landlock, ABI 7)"
    std::vector<std::string> off{};  // with the reason: "files: this kernel has no Landlock"
};

/// Gives up all rights that a server does not need, for the whole life of this process and of the
/// processes that it starts:
///
/// - No program gives the process more privileges (PR_SET_NO_NEW_PRIVS). Of the capabilities of
///   root, the process keeps CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. It leaves no core file.
/// - Landlock forbids all files that `allowed` does not name, to run any file, to bind TCP sockets
///   and to connect them to other ports, and to signal processes outside.
/// - A seccomp filter forbids system calls that weir does not make. A forbidden call fails with
///   EPERM (a call that is newer than the table with ENOSYS). A call that only an intruder makes,
///   such as execve(2) or ptrace(2), ends the process with SIGSYS.
///
/// Open descriptors stay usable. The process can open no sockets afterwards, except streams to
/// connect them as `allowed` says. So call enter() between Server::bind() and Server::listen(), and
/// once only. Call it before the process has other threads: Landlock would not apply to them, so
/// enter() then uses neither Landlock nor seccomp. It also leaves out the limits that the kernel
/// does not support.
Report enter(const Allowed& allowed);

/// Forbids further io_uring instances, on all threads. Meant for Options::opened of the server: an
/// instance of an intruder would have no restrictions. Does nothing unless enter() installed a
/// filter that allows such instances.
void close_rings() noexcept;

}  // namespace weir::sandbox

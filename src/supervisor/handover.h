#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::supervisor {

/// A listening socket that systemd bound (sd_listen_fds(3)).
struct Activated {
    int fd = -1;
    bool redirects = false;  // its FileDescriptorName= is "redirect"
};

/// What a process gives to the program that it runs next, as one variable of its environment. The
/// descriptors stay open over execve(2).
struct Handover {
    /// Of a supervisor that replaces its own program: the processes that it has started.
    struct Process {
        unsigned number = 0;
        pid_t pid = 0;
        int channel = -1;
        std::chrono::milliseconds stops_within{0};
        bool serves = false;  // else it finishes its requests
    };

    /// Of the generation that starts, or of the last one that was started.
    unsigned number = 0;
    int channel = -1;  // to the supervisor; -1 for a supervisor
    int control = -1;  // a supervisor's control socket, if it has one
    std::vector<int> sockets{};
    std::vector<Activated> activated{};
    std::vector<Process> processes{};
};

/// A new binary takes over from a supervisor only if both write the same version.
inline constexpr unsigned handover_version = 1;

/// "1 number=2 channel=5 socket=6 socket=7 redirect=8".
std::string write_handover(const Handover& handover);
/// Nothing if the text was not written by write_handover(), or by one of another version.
std::optional<Handover> read_handover(std::string_view text);

}  // namespace weir::supervisor

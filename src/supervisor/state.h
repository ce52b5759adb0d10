#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::supervisor {

/// The version of the text below. A program that knows another one can't be the next supervisor.
inline constexpr std::string_view state_version = "1";

/// A generation that its supervisor hands over.
struct KeptGeneration {
    unsigned number = 0;
    pid_t pid = 0;
    int channel = -1;
    int pidfd = -1;
    int settings = -1;  // as in Handover
    std::chrono::milliseconds stops_within{0};
    std::chrono::milliseconds lived{0};
    std::optional<std::chrono::milliseconds> kill_in{};  // nothing: it serves, or it was killed
    std::string version{};                               // of weir
};

/// A client of the control socket, and a text: its request, or its answer. Also a passed socket.
struct KeptClient {
    int socket = -1;
    std::string text{};
};

/// Everything that a supervisor hands over to the program that replaces it in the same process
/// (execve(2)). The descriptors stay open meanwhile.
struct State {
    pid_t pid = 0;          // of the supervisor
    std::string command{};  // for messages: "weir serve"
    std::string path{};     // of the program file, for the next upgrade
    std::string control{};  // the address of the control socket; empty: there is none
    int control_socket = -1;
    std::chrono::milliseconds ready_timeout{0};
    std::chrono::milliseconds stops_within{0};
    bool outlives_terminal = false;
    int notifier = -1;                      // connected to systemd; -1: systemd does not listen
    std::chrono::microseconds watchdog{0};  // see read_watchdog()
    std::vector<KeptClient> passed{};       // the sockets that systemd has passed, with their names
    unsigned number = 0;                    // of the latest generation
    int tickets = -1;                       // as in Handover
    int counters = -1;                      // as in Handover
    std::vector<int> sockets{};
    std::optional<KeptGeneration> serving{};
    std::vector<KeptGeneration> finishing{};
    std::vector<KeptClient> callers{};     // with a part of their request
    std::vector<KeptClient> waiting{};     // with their request; -1: a signal
    std::optional<KeptClient> upgraded{};  // the client that wanted this, with its answer
};

std::string write_state(const State& state);
/// Returns nothing if the text is not from write_state(), or from another version of it.
std::optional<State> read_state(std::string_view text);

/// All descriptors in the state.
std::vector<int> descriptors_in(const State& state);

}  // namespace weir::supervisor

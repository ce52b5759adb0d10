#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::supervisor {

/// The version of the text below. A program that knows another one can't be a generation.
inline constexpr std::string_view handover_version = "2";

/// The data that a supervisor gives to a generation at its start, as one environment variable. The
/// descriptors stay open over execve(2).
struct Handover {
    unsigned number = 0;  // of the generation
    int channel = -1;     // to the supervisor
    int settings = -1;    // the options of the serving generation; -1: no generation serves
    int tickets = -1;     // the secret of session tickets; -1: there is none
    int counters = -1;    // the counts of requests; -1: there are none
    std::vector<int> sockets{};
};

/// "2 number=2 channel=5 settings=6 tickets=9 counters=3 socket=7 socket=8".
std::string write_handover(const Handover& handover);
/// Returns nothing if the text is not from write_handover(), or from another version of it.
std::optional<Handover> read_handover(std::string_view text);

}  // namespace weir::supervisor

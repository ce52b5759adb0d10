#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::supervisor {

/// The data that a supervisor gives to a generation at its start, as one environment variable. The
/// descriptors stay open over execve(2).
struct Handover {
    unsigned number = 0;  // of the generation
    int channel = -1;     // to the supervisor
    int settings = -1;    // the options of the serving generation; -1: no generation serves
    std::vector<int> sockets{};
};

/// "1 number=2 channel=5 settings=6 socket=7 socket=8".
std::string write_handover(const Handover& handover);
/// Returns nothing if the text is not from write_handover(), or from another version of it.
std::optional<Handover> read_handover(std::string_view text);

}  // namespace weir::supervisor

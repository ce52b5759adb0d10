#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::supervisor {

/// What a supervisor gives to a generation that it starts, as one variable of its environment. The
/// descriptors stay open over execve(2).
struct Handover {
    unsigned number = 0;  // of the generation
    int channel = -1;     // to the supervisor
    int settings = -1;    // those of the generation that serves; -1: none serves
    std::vector<int> sockets{};
};

/// "1 number=2 channel=5 settings=6 socket=7 socket=8".
std::string write_handover(const Handover& handover);
/// Nothing if the text was not written by write_handover(), or by one of another version.
std::optional<Handover> read_handover(std::string_view text);

}  // namespace weir::supervisor

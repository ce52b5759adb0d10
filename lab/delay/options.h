#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace lab {

using Nanoseconds = std::chrono::nanoseconds;

/// A share of the clients, and how far away they are.
struct Clients {
    double share;
    Nanoseconds round_trip;
    double loss;              ///< of segments, from 0 to 1
    double bytes_per_second;  ///< in each direction; 0: no limit
};

struct Options {
    int listener = -1;  ///< a descriptor: non-blocking, listening
    std::uint16_t server_port = 0;
    std::vector<Clients> clients;
};

/// `--listener DESCRIPTOR --to PORT --clients SHARE:ROUND_TRIP_MICROSECONDS:LOSS:BYTES_PER_SECOND ...`. Ends the program
/// with a message if they are wrong.
Options parse(int argc, char** argv);

}  // namespace lab

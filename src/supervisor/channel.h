#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::supervisor {

/// What a generation tells its supervisor, over a pair of sockets that keep messages apart
/// (SOCK_SEQPACKET).
struct Message {
    enum class Kind : char {
        socket = 's',    // it listens on the descriptor that comes along (SCM_RIGHTS)
        settings = 'o',  // the descriptor that comes along has its options
        changed = 'c',   // which of them are others than before, in words
        said = 'e',      // what it has written to standard error before it was ready
        ready = 'r',     // it serves; how many milliseconds its stop may take
    };
    Kind kind;
    std::string text{};
    net::UniqueFd fd{};
};
inline constexpr std::size_t message_bytes_max = 4'096;

/// The text of a `ready` message; nothing if it is none, or more than a day.
std::string write_time(std::chrono::milliseconds time);
std::optional<std::chrono::milliseconds> read_time(std::string_view text);

struct Channel {
    net::UniqueFd supervisor;  // doesn't block
    net::UniqueFd generation;
};
std::expected<Channel, std::error_code> open_channel();

/// Sends a message, and a descriptor with it unless that is -1. A text that is too long is cut.
std::error_code send_message(int channel, Message::Kind kind, std::string_view text, int fd = -1);

/// The next message. Nothing if none has come, if the generation has closed its side, or if it sent
/// what is none.
std::optional<Message> receive_message(int channel);

}  // namespace weir::supervisor

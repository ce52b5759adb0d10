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

/// A message of a generation to its supervisor, over a pair of sockets that keep messages apart
/// (SOCK_SEQPACKET).
struct Message {
    enum class Kind : char {
        socket = 's',    // the generation listens on the descriptor in the message (SCM_RIGHTS)
        settings = 'o',  // the descriptor in the message is a file with its options
        tickets = 't',   // the same with the secret of its session tickets
        counters = 'n',  // the same with the counts of its requests
        changed = 'c',   // the options that differ from before, in words
        said = 'e',      // the text that it has written to standard error before it was ready
        alive = 'a',     // all loops turn; no text
        ready = 'r',     // the generation serves; the text is the limit of its stop, in
                         // milliseconds
    };
    Kind kind;
    std::string text{};
    net::UniqueFd fd{};
};
inline constexpr std::size_t message_bytes_max = 4'096;

/// The text of a `ready` message. read_time() returns nothing if the text is not a number of
/// milliseconds, or more than a day.
std::string write_time(std::chrono::milliseconds time);
std::optional<std::chrono::milliseconds> read_time(std::string_view text);

struct Channel {
    net::UniqueFd supervisor;  // in non-blocking mode
    net::UniqueFd generation;
};
std::expected<Channel, std::error_code> open_channel();

/// Sends a message, with `fd` unless that is -1. A text that is too long is cut.
std::error_code send_message(int channel, Message::Kind kind, std::string_view text, int fd = -1);

/// Sends an `alive` message, unless that would block.
void send_alive(int channel) noexcept;

/// Returns the next message; nothing if no message has come, if the generation has closed its side,
/// or if it sent something else.
std::optional<Message> receive_message(int channel);

}  // namespace weir::supervisor

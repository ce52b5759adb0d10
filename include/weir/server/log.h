#pragma once

#include <cstdint>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

enum class Severity : std::uint8_t { info, warning, error };

/// Receives the server's messages to its operator, for example about a handler that threw or a log
/// file that cannot be written. Derive from it to use the program's own log.
class Log {
   public:
    virtual ~Log() = default;
    /// Any thread may call this function, several at once; so may the processes that an engine
    /// forks. It must not block: the caller may be an event loop, the supervisor of worker
    /// processes, or a thread that a stop waits for. If a log may be slow, it queues the message or
    /// drops it. `message` is one line without a line feed, borrowed for the call. Text from a peer
    /// in it is escaped already.
    virtual void write(Severity severity, std::string_view message) noexcept = 0;
};

/// Writes "weir: error: message" to standard error, with one write per message, so that messages do
/// not mix. A message that is longer than PIPE_BUF (4,096 bytes) is cut. Never blocks on a pipe, a
/// socket or a terminal: a message that the reader does not take at once is dropped, and a warning
/// before the next message says how many were dropped.
Log& standard_error_log() noexcept;

}  // namespace weir::server

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
    /// Any thread may call it, several at once. `message` is one line without a line feed, borrowed
    /// for the call. If it quotes text from a peer, that text is escaped already.
    virtual void write(Severity severity, std::string_view message) noexcept = 0;
};

/// Writes "weir: error: message" to standard error, with one writev(2) per message, so that
/// messages do not mix.
Log& standard_error_log() noexcept;

}  // namespace weir::server

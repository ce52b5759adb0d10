#pragma once

#include <cstdint>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::server {

enum class Severity : std::uint8_t { info, warning, error };

/// Where a server says what its operator should know: a handler that threw, a log that cannot be
/// written. Derive from it to pass that on to the program's own log.
class Log {
   public:
    virtual ~Log() = default;
    /// Called on any thread. `message` is one line without its line feed, borrowed for the call; it
    /// may quote a peer, escaped already.
    virtual void write(Severity severity, std::string_view message) noexcept = 0;
};

/// "weir: error: message" on standard error; one write(2) each, so that lines do not mix.
Log& standard_error_log() noexcept;

}  // namespace weir::server

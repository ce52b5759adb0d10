#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "server/log/line/access_line.h"
#include "server/log/target/log_destination.h"
#include "weir/server/log.h"

namespace weir::server {

/// The text around a line that goes to a daemon. For syslog it is that of syslog(3):
/// "<30>Nov 20 18:31:00 weir[4711]: " and the line. For the journal it is a list of fields (Native
/// Journal Protocol), each followed by a zero byte, for which LogSocket sends a line feed; the line
/// is the field MESSAGE, and a reader can choose entries by the other ones.
class LogEnvelope {
   public:
    /// No text, unless `kind` is that of a socket.
    explicit LogEnvelope(LogDestination::Kind kind) noexcept;

    /// Appends the text before the line of an answer. Errors of the server are errors of the log.
    void open(std::string& out, const AccessEntry& entry) const;
    /// The same for a line about the log itself.
    void open(std::string& out, Severity severity, std::int64_t unix_seconds) const;
    /// Appends the text behind a line, in place of its line feed.
    void close(std::string& out) const;

   private:
    void append_head(std::string& out, Severity severity, std::int64_t unix_seconds) const;
    bool is_journal() const noexcept { return kind_ == LogDestination::Kind::journald; }

    LogDestination::Kind kind_;
    pid_t process_;
};

}  // namespace weir::server

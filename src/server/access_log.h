#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "http/observer.h"
#include "server/log_file.h"
#include "server/log_writer.h"
#include "weir/server/access_log_options.h"
#include "weir/server/log.h"

namespace weir::server {

/// Writes a line for each answer.
class AccessLog final : public http::Observer {
   public:
    enum class Written : std::uint8_t {
        by_a_thread,  // so that no loop ever waits for a disk
        at_once,  // for a process of one connection, which nobody else waits for: a thread would
                  // cost it more. Called by one thread alone.
    };

    /// `errors` lives longer. Throws std::system_error where the system has no thread left.
    static std::expected<std::unique_ptr<AccessLog>, std::error_code> open(
        const AccessLogOptions& options, Log& errors, Written written = Written::by_a_thread);

    AccessLog(LogFile file, AccessLogOptions::Format format, Log& errors, Written written);

    void answered(const http::Answered& answered) noexcept override;

    /// The file was renamed: go on in a new one of the old name. Async-signal-safe. Not for one that
    /// writes at once: the next connection's process opens it anew.
    void reopen() noexcept { writer_->reopen(); }

   private:
    void write_at_once(std::string_view line) noexcept;

    AccessLogOptions::Format format_;
    Log& errors_;
    std::optional<LogWriter> writer_;
    std::optional<LogFile> file_;  // where there is no writer
};

}  // namespace weir::server

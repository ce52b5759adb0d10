#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "http/observer.h"
#include "server/access_line.h"
#include "server/log_file.h"
#include "server/log_writer.h"
#include "weir/server/access_log_options.h"
#include "weir/server/log.h"
#include "weir/server/request_lines.h"

namespace weir::server {

/// Writes a line for each answer: to a log, or for a person who watches standard output.
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
    /// The same on standard output, in the lines of shown_line.h, which appear at once. Lines that are
    /// lost at the end are not reported: standard error is often the same terminal, and may be held.
    static std::unique_ptr<AccessLog> show(RequestLines lines,
                                           Written written = Written::by_a_thread);

    struct Format {
        void (*append)(std::string& out, const AccessEntry& entry);
        LogWriter::AppendDropped append_dropped;
    };
    AccessLog(LogFile file, Format format, LogWriter::Options options, Log& errors,
              Written written);

    void answered(const http::Answered& answered) noexcept override;

    /// The file was renamed: go on in a new one of the old name. Async-signal-safe. Not for one that
    /// writes at once: the next connection's process opens it anew.
    void reopen() noexcept { writer_->reopen(); }

   private:
    void write_at_once(std::string_view line) noexcept;

    const Format format_;
    Log& errors_;
    std::optional<LogWriter> writer_;
    std::optional<LogFile> file_;  // where there is no writer
};

}  // namespace weir::server

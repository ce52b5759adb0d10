#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "http/observer.h"
#include "server/log/line/access_line.h"
#include "server/log/line/log_envelope.h"
#include "server/log/line/log_format.h"
#include "server/log/log_among_forks.h"
#include "server/log/log_choice.h"
#include "server/log/log_writer.h"
#include "server/log/target/log_target.h"
#include "weir/server/access_log_options.h"
#include "weir/server/log.h"
#include "weir/server/request_lines.h"

namespace weir::server {

/// Writes a line for each response, to a log or to standard output.
class AccessLog final : public http::Observer {
   public:
    enum class Written : std::uint8_t {
        by_a_thread,  // so that no event loop waits for a disk
        /// For a process with a single connection: a thread would cost too much. A line that the
        /// reader does not take at once is dropped. Only one thread may use the log.
        at_once,
    };

    /// `errors` and `forks` must outlive the log. With Written::at_once, the log reads `forks`
    /// before and after each line. `socket`: of LogSocket::open(), if the path names a daemon. The
    /// error is EINVAL if AccessLogOptions::own_format is no format. Throws std::system_error if
    /// the system cannot start a thread, or has no descriptor left.
    static std::expected<std::unique_ptr<AccessLog>, std::error_code> open(
        const AccessLogOptions& options, Log& errors, Written written = Written::by_a_thread,
        LogAmongForks* forks = nullptr, int socket = -1);
    /// Writes to standard output, in the format of shown_line.h, without delay. Does not report
    /// lines that are lost at the end: standard error is often the same terminal, and the user may
    /// have paused it.
    static std::unique_ptr<AccessLog> show(RequestLines lines,
                                           Written written = Written::by_a_thread);

    struct Format {
        void (*append)(std::string& out, const AccessEntry& entry);
        LogWriter::AppendDropped append_dropped;
    };
    /// `forks` as in open().
    AccessLog(LogTarget target, Format format, LogWriter::Options options, Log& errors,
              Written written, const AccessLogOptions& choice = {}, LogAmongForks* forks = nullptr);

    /// The function of AccessLogOptions::user.
    using User = std::function<std::string(const http::Request& request)>;
    void user(User user) { user_ = std::move(user); }
    void own_format(LogFormat format) { own_format_ = std::move(format); }

    void answered(const http::Answered& answered) noexcept override;

    /// Opens the log again under the same path; call it after the file was renamed.
    /// Async-signal-safe. Not for Written::at_once, which follows a LogAmongForks.
    void reopen() noexcept { writer_->reopen(); }

   private:
    void write_at_once(std::string& line);
    /// Writes a line with the number of dropped lines. Reuses the memory of `line`.
    void tell_dropped(std::string& line);

    void append(std::string& line, const AccessEntry& entry) const;

    const LogEnvelope envelope_;
    const Format format_;
    std::optional<LogFormat> own_format_;  // in place of format_.append
    User user_;
    LogChoice choice_;
    const bool losses_are_a_trouble_;
    std::optional<LogWriter> writer_;
    std::optional<LogTarget> target_;  // used if there is no writer
    LogAmongForks* forks_ = nullptr;
    std::uint32_t openings_seen_ = 0;
    bool has_ids_ = false;  // lines have the ID of the request
};

}  // namespace weir::server

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

#include "server/log/log_among_forks.h"
#include "server/log/target/log_file.h"
#include "weir/server/access_log_options.h"

namespace weir::server {

/// Renames a log that is full or of another day: `path` becomes `path`.1, that becomes `path`.2, and
/// so on. Several processes may have the file open: one of them renames, the others open the new
/// file. Only one thread may use an object.
class LogRotation {
   public:
    /// Never renames.
    LogRotation() = default;
    /// `forks` must outlive the object; null: no other process writes to the log.
    LogRotation(const AccessLogOptions& options, LogAmongForks* forks);

    bool is_on() const noexcept { return bytes_max_ != 0 || is_daily_; }

    /// To call before `bytes` are written to `file`. Returns true if `file` is a new one. After an
    /// error, `file` is as before. Other processes that call it wait until `release`, so that none
    /// of them writes between the look at the size and the write.
    std::expected<bool, std::error_code> prepare(LogFile& file, std::size_t bytes,
                                                 std::int64_t unix_seconds) const;
    /// To call after the write, also if `prepare` or the write failed.
    static void release(const LogFile& file) noexcept;
    /// Returns true for the first of a series of errors, in all processes: the one to report.
    bool is_news(bool failed) noexcept;
    /// The report of an error, without the name of the log.
    static std::string complaint(std::error_code error);

   private:
    bool is_due(const LogFile& file, std::size_t bytes, std::int64_t unix_seconds) const;
    std::error_code shift() const;

    std::string path_;
    std::uint64_t bytes_max_ = 0;  // 0: any size
    bool is_daily_ = false;
    unsigned keep_ = 0;
    LogAmongForks* forks_ = nullptr;
    bool failing_ = false;  // if there is no `forks_`
};

}  // namespace weir::server

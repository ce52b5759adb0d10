#pragma once

#include <atomic>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

#include "net/unique_fd.h"
#include "weir/base/now.h"

namespace weir::server {

/// The destination of log lines: a file to append to, a FIFO with a reader, or a standard stream.
/// Only one thread may use it.
class LogFile {
   public:
    /// Opens a file; "-" means standard error. A FIFO without a reader is an error (ENXIO); the
    /// call does not wait for a reader.
    static std::expected<LogFile, std::error_code> open(const std::string& path);

    /// Creates the file if it does not exist.
    static void make(const char* path) noexcept;

    /// Standard output, in a mode that never blocks: the user may have paused the terminal
    /// (Ctrl-S).
    static LogFile standard_output();

    /// Opens the path again, after the file was renamed. If that fails, the old file stays in use.
    std::error_code reopen();

    struct Written {
        std::size_t size;
        std::error_code error;
    };
    /// Writes all bytes. Stops early after an error, or if the reader takes nothing for half a
    /// second after `stopping` was set. If a full disk cuts a line, the written part of that line
    /// is removed from the file.
    Written write(std::string_view bytes, const std::atomic<bool>& stopping);

    /// From now on, writes do not wait for the reader: bytes that it does not take at once are
    /// dropped.
    void wait_for_nobody() noexcept { give_up_at_ = Instant::min(); }

    /// False if the file was renamed or removed, so that its path names another file or none.
    bool has_its_path() const noexcept;
    int fd() const noexcept;

    /// The name for messages.
    const std::string& name() const noexcept { return name_; }

   private:
    LogFile(std::string path, std::string name, net::UniqueFd fd);

    Written write_whole(std::string_view bytes, const std::atomic<bool>& stopping);
    bool was_ended_by_others() const;
    std::size_t take_back(std::size_t size);
    bool wait_writable(const std::atomic<bool>& stopping);

    std::string path_;
    std::string name_;
    net::UniqueFd fd_;            // empty: standard error
    std::size_t piece_bytes_;     // the most that one write takes
    Instant give_up_at_ = never;  // set when a stop begins to wait
    bool line_cut_ = false;       // the last write did not end with a line feed
};

}  // namespace weir::server

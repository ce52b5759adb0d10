#pragma once

#include <atomic>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

#include "net/unique_fd.h"

namespace weir::server {

/// Where lines are written to: a file that is appended to, a FIFO that somebody reads, or one of the
/// standard streams. Used by one thread.
class LogFile {
   public:
    /// "-" is standard error. A FIFO that nobody reads is an error (ENXIO), and not waited for.
    static std::expected<LogFile, std::error_code> open(const std::string& path);

    /// Standard output, in a way that never blocks: a terminal may be held (Ctrl-S).
    static LogFile standard_output();

    /// Opens the path again, for whoever renamed the file; after an error the old one stays in use.
    std::error_code reopen();

    struct Written {
        std::size_t size;
        std::error_code error;
    };
    /// Writes all, unless an error comes, or `stopping` is set while a reader takes nothing.
    Written write(std::string_view bytes, const std::atomic<bool>& stopping);

    /// From now on nothing is waited for: what a reader does not take at once is left out.
    void wait_for_nobody() noexcept { patience_milliseconds_ = 0; }

    /// As messages call it.
    const std::string& name() const noexcept { return name_; }

   private:
    LogFile(std::string path, std::string name, net::UniqueFd fd);

    int fd() const noexcept;
    Written write_whole(std::string_view bytes, const std::atomic<bool>& stopping);
    bool wait_writable(const std::atomic<bool>& stopping) const;

    std::string path_;
    std::string name_;
    net::UniqueFd fd_;         // none: standard error
    std::size_t piece_bytes_;  // how much is written at once
    // How long a reader that takes nothing can hold up a stop.
    int patience_milliseconds_ = 500;
    bool line_cut_ = false;  // what was written last does not end with a line feed
};

}  // namespace weir::server

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "net/event_fd.h"
#include "server/log_file.h"
#include "weir/server/log.h"

namespace weir::server {

/// Takes lines from any thread and has a thread of its own write them, so that no loop ever waits
/// for a disk. Where the disk does not keep up, lines are dropped, and their number is written once
/// it does.
///
/// A child of fork() has no such thread: a server whose workers are processes opens its log in each
/// of them, after the fork.
class LogWriter {
   public:
    struct Options {
        /// Lines that wait: 20,000 or so. Address space; what was never filled is no memory.
        std::size_t waiting_bytes_max = std::size_t{4} << 20u;
        /// Waiting lines are written once there are so many bytes of them, or after `gather`.
        std::size_t write_bytes = std::size_t{64} << 10u;
        std::chrono::milliseconds gather{200};
    };
    /// Appends the line that stands for `lines` dropped ones.
    using AppendDropped = void (*)(std::string& out, std::uint64_t lines,
                                   std::int64_t unix_seconds);

    /// `errors` is told when the file cannot be written; it lives longer than the writer. Throws
    /// std::system_error where the system has no descriptor or thread left.
    LogWriter(LogFile file, AppendDropped append_dropped, Log& errors, Options options);
    /// Writes what still waits; a reader that takes nothing is given up on after half a second.
    ~LogWriter();
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    /// A whole line with its line feed. Any thread; never waits for the file, never allocates.
    void append(std::string_view line) noexcept;

    /// Opens the file's path again once what waits has been written. Async-signal-safe.
    void reopen() noexcept;

   private:
    void run();
    void wait_for_lines();
    bool is_urgent();
    std::uint64_t take_waiting();
    void write(std::uint64_t dropped);
    void lose(std::uint64_t lines, std::error_code error);
    void reopen_file();

    const Options options_;
    const AppendDropped append_dropped_;
    Log& errors_;
    net::EventFd event_;  // that a signal handler may ring

    std::mutex mutex_;
    std::string waiting_;        // guarded by mutex_
    std::uint64_t dropped_ = 0;  // guarded by mutex_

    std::atomic<bool> stopping_{false};
    std::atomic<bool> reopen_{false};
    static_assert(std::atomic<bool>::is_always_lock_free);

    // The thread's own.
    LogFile file_;
    std::string writing_;
    std::string dropped_line_;
    bool failing_ = false;  // and that was said

    std::thread thread_;  // last: it uses all of the above
};

}  // namespace weir::server

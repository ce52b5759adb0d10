#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "net/event_fd.h"
#include "server/log/log_rotation.h"
#include "server/log/target/log_target.h"
#include "weir/server/log.h"

namespace weir::server {

/// Takes lines from any thread, and writes them in a thread of its own, so that no event loop waits
/// for a disk. If the disk is too slow, the writer drops lines, and writes their number later.
///
/// A child of fork(2) does not have this thread: if workers are processes, each of them opens the
/// log after the fork.
class LogWriter {
   public:
    struct Options {
        /// The most bytes of waiting lines, about 20,000 lines. Only the used part takes physical
        /// memory.
        std::size_t waiting_bytes_max = std::size_t{4} << 20u;
        /// Waiting lines are written when they have this many bytes, or after `gather`.
        std::size_t write_bytes = std::size_t{64} << 10u;
        std::chrono::milliseconds gather{200};
        /// Whether lost lines are reported to the operator
        bool losses_are_a_trouble = true;
        LogRotation rotation{};
    };
    /// Appends a line that replaces `lines` dropped ones.
    using AppendDropped =
        std::function<void(std::string& out, std::uint64_t lines, std::int64_t unix_seconds)>;

    /// Reports to `errors` if the target cannot be written; `errors` must outlive the writer. Throws
    /// std::system_error if the system has no descriptor left, or cannot start a thread.
    LogWriter(LogTarget target, AppendDropped append_dropped, Log& errors, Options options);
    /// Writes the waiting lines. Gives up after half a second if the reader takes nothing.
    ~LogWriter();
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    /// Appends a whole line, including its line feed. Any thread may call it. Never waits for the
    /// file, never allocates memory.
    void append(std::string_view line) noexcept;

    /// Opens the file's path again after the waiting lines have been written. Async-signal-safe.
    void reopen() noexcept;

   private:
    void run();
    void wait_for_lines();
    bool is_urgent();
    std::uint64_t take_waiting();
    LogFile::Written write_lines();
    void write(std::uint64_t dropped);
    void lose(std::uint64_t lines, std::error_code error);
    void note_lost(std::uint64_t lines) const noexcept;
    void reopen_file();
    void rotate() noexcept;
    template <typename Sentence>
    void tell(Severity severity, Sentence sentence) noexcept;

    Options options_;  // only the writer's thread uses its rotation
    const AppendDropped append_dropped_;
    Log& errors_;
    net::EventFd event_;  // an EventFd, because a signal handler may signal it

    std::mutex mutex_;
    std::string waiting_;        // guarded by mutex_
    std::uint64_t dropped_ = 0;  // guarded by mutex_

    std::atomic<bool> stopping_{false};
    std::atomic<bool> reopen_{false};
    static_assert(std::atomic<bool>::is_always_lock_free);

    // Only the writer's thread uses these.
    LogTarget target_;
    std::string writing_;
    std::string dropped_line_;
    bool failing_ = false;  // the target fails, and this was reported

    std::thread thread_;  // last, because the thread uses all members above
};

}  // namespace weir::server

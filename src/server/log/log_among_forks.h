#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "net/mapping.h"

namespace weir::server {

/// Shared counters of the processes that append to one log, in memory that a process shares with
/// those that it forks: the number of requests to open the log again, which each process reads
/// before it writes; the number of dropped lines, which the next written line reports; and the
/// number of answers of which some have a line. If there is no memory for the counters, the log stays
/// open, does not report dropped lines, and has all answers.
class LogAmongForks {
   public:
    LogAmongForks() : memory_{net::Mapping::among_forks(sizeof(Told))} {
        if (memory_) std::construct_at(memory_.at<Told>(0));
    }

    /// Async-signal-safe.
    void open_again() noexcept {
        if (memory_) ++told().openings;
    }
    std::uint32_t openings() const noexcept { return memory_ ? told().openings.load() : 0; }

    void drop_line() noexcept {
        if (memory_) ++told().dropped;
    }
    std::uint32_t dropped() const noexcept { return memory_ ? told().dropped.load() : 0; }
    /// Returns true if this process is the one to report that `lines` were dropped.
    bool take_dropped(std::uint32_t lines) noexcept {
        return told().dropped.compare_exchange_strong(lines, 0);
    }
    /// Adds `lines` again, because the report of them could not be written.
    void give_back_dropped(std::uint32_t lines) noexcept { told().dropped += lines; }

    /// Returns whether the last rotation failed, in any process.
    bool note_rotation(bool failed) noexcept {
        return memory_ && told().rotation_fails.exchange(failed);
    }

    /// The number of calls before, by any process.
    std::uint32_t next_sample() noexcept { return memory_ ? told().samples++ : 0; }

   private:
    struct Told {
        std::atomic<std::uint32_t> openings{0};
        std::atomic<std::uint32_t> dropped{0};
        std::atomic<std::uint32_t> samples{0};
        std::atomic<bool> rotation_fails{false};
    };
    static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

    Told& told() const noexcept { return *memory_.at<Told>(0); }

    net::Mapping memory_;
};

}  // namespace weir::server

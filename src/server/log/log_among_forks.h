#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "net/mapping.h"

namespace weir::server {

/// What the processes that append to one log tell each other, in memory that a process shares with
/// those that it forks: how often the log was to be opened again, so that each of them looks before
/// it writes; and how many lines they dropped, so that the next line that is written says so. Where
/// there is no memory for it, the log stays open, and does not say how many lines are missing.
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
    /// Whether this process is the one that says that `lines` were dropped.
    bool take_dropped(std::uint32_t lines) noexcept {
        return told().dropped.compare_exchange_strong(lines, 0);
    }
    /// They could not be told.
    void give_back_dropped(std::uint32_t lines) noexcept { told().dropped += lines; }

   private:
    struct Told {
        std::atomic<std::uint32_t> openings{0};
        std::atomic<std::uint32_t> dropped{0};
    };
    static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

    Told& told() const noexcept { return *memory_.at<Told>(0); }

    net::Mapping memory_;
};

}  // namespace weir::server

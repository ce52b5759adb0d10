#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/budget.h"

namespace weir::net {

/// The descriptors of a process that connections and open files share. Connections leave a reserve
/// to the files: a request on a connection that is open already can then open its file. Where files
/// have used some of the reserve, the budget is short, and connections that are idle should be given
/// up. Thread-safe.
///
/// Before measure() there is no limit: then only the system's own answer (EMFILE) says that none is
/// left.
class Descriptors {
   public:
    /// Reads the process's limit, and counts what is open besides connections and files. Call it
    /// when everything is open that stays open, and again in a process that was forked. False where
    /// so few are left that connections and files can't have one each.
    bool measure() noexcept;

    /// False where no more than the reserve is left.
    bool take_for_connection() noexcept {
        return budget_.take(1, reserve_.load(std::memory_order_relaxed));
    }
    /// False where none is left.
    bool take_for_file() noexcept {
        const bool taken = budget_.take(1);
        static_cast<void>(missing());
        return taken;
    }
    void give_back() noexcept {
        budget_.give_back(1);
        if (is_short()) [[unlikely]]
            static_cast<void>(missing());
    }

    /// Files use some of the reserve. It is asked often, and written to only when it changes.
    bool is_short() const noexcept { return short_.load(std::memory_order_relaxed); }
    /// How many are to be given up until the reserve is whole.
    std::uint64_t missing() noexcept {
        const auto used = budget_.used() + reserve_.load(std::memory_order_relaxed);
        const auto count = used > budget_.limit() ? used - budget_.limit() : 0;
        if ((count != 0) != is_short()) short_.store(count != 0, std::memory_order_relaxed);
        return count;
    }
    std::uint64_t used() const noexcept { return budget_.used(); }
    std::uint64_t limit() const noexcept { return budget_.limit(); }

   private:
    static constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;

    Budget budget_{no_limit};
    std::atomic<std::uint64_t> reserve_{0};
    alignas(64) std::atomic<bool> short_{false};
};

/// Those of this process.
inline Descriptors& descriptors() noexcept {
    static constinit Descriptors of_process;
    return of_process;
}

/// What an open file has taken of the budget; given back when it ends.
class FileShare {
   public:
    FileShare() = default;
    FileShare(FileShare&& other) noexcept : taken_{std::exchange(other.taken_, false)} {}
    FileShare& operator=(FileShare&& other) noexcept {
        std::swap(taken_, other.taken_);
        return *this;
    }
    ~FileShare() {
        if (taken_) descriptors().give_back();
    }

    /// Once. False where none is left.
    bool take() noexcept { return taken_ = descriptors().take_for_file(); }

   private:
    bool taken_ = false;
};

}  // namespace weir::net

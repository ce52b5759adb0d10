#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/budget.h"

namespace weir::net {

/// Raises this process's soft limit on open descriptors (RLIMIT_NOFILE) to the hard limit, and
/// returns the limit in force. Most systems start programs with a soft limit of 1,024, because some
/// programs use select(2). systemd.exec(5) advises other programs to raise it.
std::uint32_t raise_descriptor_limit() noexcept;

/// The soft limit in force.
std::uint32_t descriptor_limit() noexcept;

/// A part that keeps files open without need, such as a cache.
class FileOwner {
   public:
    /// Closes a file. False if all files are in use at the moment.
    virtual bool close_a_file() = 0;

   protected:
    ~FileOwner() = default;
};

/// The budget of descriptors that connections and open files of a process share. When none is left,
/// unused files are closed first. Connections leave a reserve to the files, so that a request on an
/// open connection can still open its file. If files in use have taken some of the reserve, the
/// budget is short, and engines should evict idle connections. Thread-safe.
///
/// Before measure() there is no limit: only an error of the system (EMFILE) then says that no
/// descriptor is left.
class Descriptors {
   public:
    /// Reads the process's limit, and counts the descriptors besides connections and files. Call it
    /// when all permanent descriptors are open, and again in a process that was forked. False if
    /// fewer than two descriptors are left, one for a connection and one for a file.
    bool measure() noexcept;

    /// False if no more than the reserve is left.
    bool take_for_connection() noexcept {
        if (is_taken_for_connection()) [[likely]]
            return true;
        return close_files_until([this] { return is_taken_for_connection(); });
    }
    /// False if none is left.
    bool take_for_file() noexcept;
    void give_back() noexcept {
        budget_.give_back(1);
        if (is_short()) [[unlikely]]
            static_cast<void>(missing());
    }

    /// True if files use some of the reserve. The flag is read often, and written only when it
    /// changes.
    bool is_short() const noexcept { return short_.load(std::memory_order_relaxed); }
    /// The number of descriptors that the reserve lacks.
    std::uint64_t missing() noexcept {
        const auto used = budget_.used() + reserve_.load(std::memory_order_relaxed);
        const auto count = used > budget_.limit() ? used - budget_.limit() : 0;
        if ((count != 0) != is_short()) short_.store(count != 0, std::memory_order_relaxed);
        return count;
    }
    /// Closes an unused file after the system has reported that no descriptor is left (EMFILE). If
    /// it returns false, another attempt is of no use.
    bool close_a_file() noexcept;
    /// Adds an owner whose files may be closed.
    void join(std::weak_ptr<FileOwner> owner);

    /// True if only the reserve is left.
    bool is_full() const noexcept {
        return budget_.used() + reserve_.load(std::memory_order_relaxed) >= budget_.limit();
    }
    std::uint64_t used() const noexcept { return budget_.used(); }
    std::uint64_t limit() const noexcept { return budget_.limit(); }

   private:
    static constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;

    bool is_taken_for_connection() noexcept {
        return budget_.take(1, reserve_.load(std::memory_order_relaxed));
    }
    bool close_files_until(const std::function<bool()>& is_enough);

    Budget budget_{no_limit};
    std::atomic<std::uint64_t> reserve_{0};
    alignas(64) std::atomic<bool> short_{false};
};

/// The descriptors of this process.
inline Descriptors& descriptors() noexcept {
    static constinit Descriptors of_process;
    return of_process;
}

/// The share of an open file in the budget. The destructor gives it back.
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

    /// Call it once. False if no descriptor is left.
    bool take() noexcept { return taken_ = descriptors().take_for_file(); }

   private:
    bool taken_ = false;
};

}  // namespace weir::net

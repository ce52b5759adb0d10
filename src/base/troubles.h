#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace weir {

/// What an operator should hear of.
enum class Trouble : std::uint8_t {
    descriptors,  // the process, or the system, had none left for something
    memory,       // a connection was turned away, or cut, for want of it
    connections,  // the limit was reached while others waited
    per_address,  // one address, or one /64, had as many connections as it may have
    slow_peers,   // a connection was cut because its peer took longer than it may
    watches,      // a directory can't be watched: inotify(7) has none left
    log_lines,    // a line could not be written
    workers,      // a worker process ended, or stopped answering, and was replaced
    count,
};

/// How often each kind of trouble came, in this process. A counter is all that it costs to report
/// one; server/ tells the operator, once a minute at most for each kind.
class Troubles {
   public:
    static constexpr std::size_t kinds = static_cast<std::size_t>(Trouble::count);

    void note(Trouble kind, std::uint64_t times = 1) noexcept {
        counts_[static_cast<std::size_t>(kind)].fetch_add(times, std::memory_order_relaxed);
    }
    std::uint64_t count(Trouble kind) const noexcept {
        return counts_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
    }

   private:
    std::array<std::atomic<std::uint64_t>, kinds> counts_{};
};

/// Those of this process. Descriptors, memory and watches are the process's, not a server's.
inline Troubles& troubles() noexcept {
    static constinit Troubles of_process;
    return of_process;
}

}  // namespace weir

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "net/mapping.h"

namespace weir::site {

/// Numbers under keys that are hashes. It lies in memory that the process shares with those that it
/// forks, so that workers agree. It forgets nothing; when it is full, it keeps nothing more. Any
/// thread may call it; none waits for another.
class SharedMemo {
   public:
    static constexpr std::size_t slots_max = 65'536;  // 1 MB, of which only pages in use count

    /// 0 slots: it keeps nothing.
    explicit SharedMemo(std::size_t slots = slots_max)
        : mapping_{slots == 0 ? net::Mapping{} : net::Mapping::among_forks(slots * sizeof(Slot))},
          slots_{slots} {}

    std::optional<std::uint64_t> find(std::uint64_t key) const noexcept;
    /// The first value that was kept under the key: `value`, if there was none. Nothing if there is
    /// no room for the key.
    std::optional<std::uint64_t> keep(std::uint64_t key, std::uint64_t value) noexcept;
    /// True for the first call with this key alone, if there is room for it.
    bool is_first(std::uint64_t key) noexcept;

   private:
    struct Slot {
        std::atomic<std::uint64_t> key;    // 0: free
        std::atomic<std::uint64_t> value;  // 0: not there yet
    };

    Slot& slot_of(std::uint64_t key, std::size_t attempt) const noexcept;
    /// The slot of the key, and whether it was taken just now. Null if there is no room.
    std::pair<Slot*, bool> take(std::uint64_t key) noexcept;

    net::Mapping mapping_;
    std::size_t slots_;
};

}  // namespace weir::site

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "net/mapping.h"

namespace weir::site {

/// Numbers under keys that are hashes. It lies in memory that the process shares with those that it
/// forks, so that workers agree. It forgets nothing; when it is full, it keeps nothing more. Any
/// thread may call it; none waits for another.
class SharedMemo {
   public:
    static constexpr std::size_t slots_max = 65'536;  // 1 MB, of which only pages in use count

    SharedMemo() : mapping_{net::Mapping::among_forks(slots_max * sizeof(Slot))} {}

    std::optional<std::uint64_t> find(std::uint64_t key) const noexcept;
    /// The first value that was kept under the key: `value`, if there was none. Nothing if there is
    /// no room for the key.
    std::optional<std::uint64_t> keep(std::uint64_t key, std::uint64_t value) noexcept;

   private:
    struct Slot {
        std::atomic<std::uint64_t> key;    // 0: free
        std::atomic<std::uint64_t> value;  // 0: not there yet
    };

    net::Mapping mapping_;
};

}  // namespace weir::site

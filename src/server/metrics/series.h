#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "weir/http/method.h"
#include "weir/http/status.h"

namespace weir::server {

/// The requests that are counted together: those of one method, version and status.
struct Series {
    http::Method method = http::Method::unknown;
    std::uint8_t version = 1;  // the major one
    std::uint16_t status = 0;

    std::uint32_t key() const noexcept {
        return std::uint32_t{1} << 31u | std::uint32_t{status} << 16u |
               std::uint32_t{version} << 8u | static_cast<std::uint32_t>(method);
    }
    static Series of(std::uint32_t key) noexcept {
        return {.method = static_cast<http::Method>(key & 0xffu),
                .version = static_cast<std::uint8_t>(key >> 8u),
                .status = static_cast<std::uint16_t>(key >> 16u & 0x7fffu)};
    }
};

/// The series that have occurred, in the order of their numbers: those of the cells that count
/// them. A hash table in shared memory, in which nothing is removed.
class SeriesTable {
   public:
    /// A server has about twenty. A peer can't choose the status, nor a method without a name.
    static constexpr std::size_t size = 128;

    /// The number of the series. If the table is full, the last one counts for all others.
    std::size_t number_of(const Series& series) noexcept {
        const std::uint32_t key = series.key();
        const std::size_t start = (key ^ key >> 16u) * 31u % (size - 1);
        for (std::size_t i = 0; i < size - 1; ++i) {
            const std::size_t number = (start + i) % (size - 1);
            std::uint32_t found = keys_[number].load(std::memory_order_relaxed);
            if (found == 0 && keys_[number].compare_exchange_strong(found, key)) return number;
            if (found == key) return number;
        }
        return size - 1;
    }
    /// True if the number has a series.
    bool has(std::size_t number) const noexcept { return number == size - 1 || keys_[number] != 0; }
    /// Of a number that has one. The last one has status 0.
    Series at(std::size_t number) const noexcept { return Series::of(keys_[number]); }

   private:
    std::array<std::atomic<std::uint32_t>, size> keys_{};
};

}  // namespace weir::server

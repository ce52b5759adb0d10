#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compress/cache/body.h"

namespace weir::compress {

/// The compressed contents that all threads share, within a limit on bytes. The cache evicts a
/// content that was not used since the hand last passed it (CLOCK). Thread-safe.
class BodyCache {
   public:
    explicit BodyCache(std::size_t bytes_max) noexcept : bytes_max_{bytes_max} {}

    bool takes_any() const noexcept { return bytes_max_ != 0; }
    /// The longest stream to collect for the cache, so that no single stream empties it.
    std::size_t body_bytes_max() const noexcept { return bytes_max_ / 4; }
    std::shared_ptr<const Body> find(std::string_view key);
    /// Replaces the entry of `key`. Does nothing if the entry is larger than the cache.
    void insert(std::string key, std::shared_ptr<const Body> body);

    struct Usage {
        std::size_t entries, bytes;
        std::uint64_t evicted;
    };
    Usage usage() const;

   private:
    struct Entry {
        std::string key;
        std::shared_ptr<const Body> body;

        std::size_t bytes() const noexcept;
    };

    void make_room(std::size_t bytes) noexcept;
    void erase(std::size_t at) noexcept;

    const std::size_t bytes_max_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Entry>> entries_;
    std::unordered_map<std::string_view, std::size_t> by_key_;  // indices; the entries own the keys
    std::size_t hand_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t evicted_ = 0;
};

}  // namespace weir::compress

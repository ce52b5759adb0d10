#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "site/listing/listing_order.h"

namespace weir::site {

/// The names in a folder that a client can fetch, sorted, in little more memory than their bytes.
class Folder {
   public:
    struct Name {
        std::string_view text;
        bool is_directory = false;
    };

    explicit Folder(ListingOrder order) noexcept : order_{order} {}

    std::size_t size() const noexcept { return entries_.size(); }
    Name at(std::size_t index) const noexcept;
    ListingOrder order() const noexcept { return order_; }
    /// Bytes of memory that the names take.
    std::size_t bytes() const noexcept;

    /// The size of all files in the folder; null if the order is by name, because then no size is
    /// read.
    std::optional<std::uint64_t> file_bytes() const noexcept {
        return has_values() ? std::optional{file_bytes_} : std::nullopt;
    }
    /// True if the directory has more names than this object.
    bool is_cut() const noexcept { return is_cut_; }
    /// True if the names and their order stay the same as long as the directory does not change.
    bool lasts() const noexcept { return lasts_; }
    /// The name of the folder's readme; empty if there is none.
    const std::string& readme() const noexcept { return readme_; }

   private:
    friend class FolderReader;

    /// The name lies in a block, behind its SortKey::value if the order needs that.
    struct Entry {
        std::uint32_t place;
        std::uint16_t length;
        bool is_directory;
    };
    static constexpr std::size_t block_bytes = 64 * 1024;

    bool has_values() const noexcept { return order_.by != ListingOrder::By::name; }
    const char* bytes_at(std::uint32_t place) const noexcept {
        return blocks_[place / block_bytes].get() + place % block_bytes;
    }
    void add(const SortKey& key);
    SortKey key_of(const Entry& entry) const noexcept;
    /// True if `left` comes first.
    bool is_before(const Entry& left, const Entry& right) const noexcept {
        return comes_before(key_of(left), key_of(right), order_);
    }

    ListingOrder order_;
    std::vector<Entry> entries_{};
    std::vector<std::unique_ptr<char[]>> blocks_{};
    std::size_t block_used_ = block_bytes;  // of the last block
    std::uint64_t file_bytes_ = 0;
    std::string readme_{};
    bool is_cut_ = false;
    bool lasts_ = true;
};

}  // namespace weir::site

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
    /// Of memory.
    std::size_t bytes() const noexcept;

    /// Of all files in it together, if the order needed a look at each.
    std::optional<std::uint64_t> file_bytes() const noexcept {
        return has_values() ? std::optional{file_bytes_} : std::nullopt;
    }
    /// It has more names.
    bool is_cut() const noexcept { return is_cut_; }
    /// As long as the directory has not changed, its names are the same in the same order.
    bool lasts() const noexcept { return lasts_; }
    /// The name of the file that describes it; empty if there is none.
    const std::string& readme() const noexcept { return readme_; }

   private:
    friend class FolderReader;

    /// The name is in a block, behind its SortKey::value if the order needs that.
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
    /// `left` comes first.
    bool is_before(const Entry& left, const Entry& right) const noexcept {
        return comes_before(key_of(left), key_of(right), order_);
    }

    ListingOrder order_;
    std::vector<Entry> entries_{};
    std::vector<std::unique_ptr<char[]>> blocks_{};
    std::size_t block_used_ = block_bytes;  // of the last one
    std::uint64_t file_bytes_ = 0;
    std::string readme_{};
    bool is_cut_ = false;
    bool lasts_ = true;
};

}  // namespace weir::site

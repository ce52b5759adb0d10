#include "site/listing/folder.h"

#include <cstring>

namespace weir::site {

Folder::Name Folder::at(std::size_t index) const noexcept {
    const SortKey key = key_of(entries_[index]);
    return {.text = key.name, .is_directory = key.is_directory};
}

std::size_t Folder::bytes() const noexcept {
    return entries_.capacity() * sizeof(Entry) + blocks_.size() * block_bytes;
}

void Folder::add(const SortKey& key) {
    const std::size_t value_bytes = has_values() ? sizeof key.value : 0;
    const std::size_t size = value_bytes + key.name.size();
    if (block_used_ + size > block_bytes) {
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_bytes));
        block_used_ = 0;
    }
    char* const to = blocks_.back().get() + block_used_;
    std::memcpy(to, &key.value, value_bytes);
    std::memcpy(to + value_bytes, key.name.data(), key.name.size());
    const std::size_t place = (blocks_.size() - 1) * block_bytes + block_used_;
    entries_.push_back({.place = static_cast<std::uint32_t>(place),
                        .length = static_cast<std::uint16_t>(key.name.size()),
                        .is_directory = key.is_directory});
    block_used_ += size;
}

SortKey Folder::key_of(const Entry& entry) const noexcept {
    const char* from = bytes_at(entry.place);
    SortKey key{.name = {}, .is_directory = entry.is_directory};
    if (has_values()) {
        std::memcpy(&key.value, from, sizeof key.value);
        from += sizeof key.value;
    }
    key.name = {from, entry.length};
    return key;
}

}  // namespace weir::site

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::web {

/// A fast hash of a segment of a path. It need not resist attackers: only patterns are keys.
inline std::uint64_t hash_of(std::string_view text) noexcept {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
    const auto word = [&text](std::size_t at, std::size_t size) {
        std::uint64_t value = 0;
        std::memcpy(&value, text.data() + at, size);
        return value;
    };
    std::uint64_t hash = text.size() * odd;
    std::size_t at = 0;
    for (; text.size() - at > 8; at += 8) hash = (hash ^ word(at, 8)) * odd ^ hash >> 29U;
    const std::size_t left = text.size() - at;
    std::uint64_t tail = 0;
    if (left >= 4)
        tail = word(at, 4) << 32U | word(text.size() - 4, 4);
    else if (left != 0)
        tail = static_cast<unsigned char>(text[at]) |
               static_cast<std::uint64_t>(static_cast<unsigned char>(text[at + left / 2])) << 8U |
               static_cast<std::uint64_t>(static_cast<unsigned char>(text.back())) << 16U;
    hash = (hash ^ tail) * odd;
    return hash ^ hash >> 32U;
}

/// A hash table whose keys are segments of paths. A look-up costs the same for any number of keys.
template <typename Value>
class SegmentTable {
   public:
    const Value* find(std::string_view segment) const noexcept {
        if (slots_.empty()) return nullptr;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash_of(segment) & mask;; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (!slot.is_used) return nullptr;
            if (slot.key == segment) return &slot.value;
        }
    }
    /// The same; adds an empty value if there is none.
    Value& at(std::string_view segment) {
        if (const Value* const found = find(segment)) return const_cast<Value&>(*found);
        if (2 * (size_ + 1) > slots_.size()) grow();
        ++size_;
        return place(std::string{segment}, Value{});
    }

   private:
    struct Slot {
        std::string key{};
        Value value{};
        bool is_used = false;
    };

    Value& place(std::string key, Value value) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash_of(key) & mask;
        while (slots_[at].is_used) at = (at + 1) & mask;
        slots_[at] = {std::move(key), std::move(value), true};
        return slots_[at].value;
    }
    void grow() {
        std::vector<Slot> before(std::max<std::size_t>(2 * slots_.size(), 4));
        before.swap(slots_);
        for (Slot& slot : before)
            if (slot.is_used) place(std::move(slot.key), std::move(slot.value));
    }

    std::vector<Slot> slots_;  // a power of two, at most half of them used
    std::size_t size_ = 0;
};

}  // namespace weir::web

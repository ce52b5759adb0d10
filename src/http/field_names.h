#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/http/field_name.h"

/// The table behind field_name_from(), which the parser wants inline.
namespace weir::http::field_names {

inline constexpr std::size_t known = static_cast<std::size_t>(FieldName::other);
inline constexpr std::size_t name_size_max = 24;

// In the order of the enumeration.
inline constexpr std::array<std::string_view, known + 1> names = {
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "origin",
    "range",
    "referer",
    "te",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "",
};

// Size, first and last byte tell the known names apart.
inline constexpr std::size_t slot_count = 64;
constexpr std::size_t slot_of(std::size_t size, char first, char last) noexcept {
    return (size * 7 + (first | 0x20u) + (last | 0x20u)) % slot_count;
}

// A name as words of 8 bytes, the last laid over the one before where the name is no multiple of 8;
// a short one as two halves in the same way. So a comparison needs no loop over bytes, and reads
// none that isn't the name's. `fold` has the bit that makes a letter small: a hyphen has none, so
// that no other byte passes for it.
struct Word {
    std::uint64_t text = 0;
    std::uint64_t fold = 0;
};

struct alignas(64) Slot {
    FieldName id = FieldName::other;
    std::uint8_t size = 0;
    std::array<Word, 3> words;
};

template <typename Number>
constexpr Number load(const char* from) noexcept {
    std::array<char, sizeof(Number)> bytes{};
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes[i] = from[i];  // one instruction
    return std::bit_cast<Number>(bytes);
}

/// The word from `begin` on.
constexpr std::uint64_t word_at(std::string_view text, std::size_t begin) noexcept {
    if (text.size() >= 8) return load<std::uint64_t>(&text[std::min(begin, text.size() - 8)]);
    if (text.size() >= 4)
        return load<std::uint32_t>(&text[0]) |
               std::uint64_t{load<std::uint32_t>(&text[text.size() - 4])} << 32;
    return load<std::uint8_t>(&text[0]) | std::uint64_t{load<std::uint8_t>(&text[text.size() - 1])}
                                              << 8;
}

constexpr std::array<Slot, slot_count> make_slots() {
    std::array<Slot, slot_count> slots;
    for (std::size_t id = 0; id < known; ++id) {
        const std::string_view name = names[id];
        std::array<char, name_size_max> fold{};
        for (std::size_t i = 0; i < name.size(); ++i) fold[i] = name[i] == '-' ? '\0' : '\x20';

        Slot& slot = slots[slot_of(name.size(), name.front(), name.back())];
        if (slot.size != 0) throw "two names share a slot: choose other factors in slot_of";
        slot.id = static_cast<FieldName>(id);
        slot.size = static_cast<std::uint8_t>(name.size());
        for (std::size_t begin = 0; begin < name.size(); begin += 8)
            slot.words[begin / 8] = {word_at(name, begin),
                                     word_at({fold.data(), name.size()}, begin)};
    }
    return slots;
}

inline constexpr std::array<Slot, slot_count> slots = make_slots();

inline FieldName recognised(std::string_view text) noexcept {
    if (text.empty()) return FieldName::other;
    const Slot& slot = slots[slot_of(text.size(), text.front(), text.back())];
    if (slot.size != text.size()) return FieldName::other;
    for (std::size_t begin = 0; begin < text.size(); begin += 8) {
        const Word& word = slot.words[begin / 8];
        if ((word_at(text, begin) | word.fold) != word.text) return FieldName::other;
    }
    return slot.id;
}

}  // namespace weir::http::field_names

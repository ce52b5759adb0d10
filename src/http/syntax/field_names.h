#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/http/field_name.h"

/// The table behind field_name_from(), in a header so that the compiler can inline it in the
/// parser.
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
    const auto small = [](char letter) { return static_cast<unsigned char>(letter) | 0x20u; };
    return (size * 7 + small(first) + small(last)) % slot_count;
}

// A name as words of 8 bytes: the first, the last, and the one between them. A name of less than 8
// bytes has two shorter words, which may overlap. So a comparison needs no loop over bytes, and
// reads no byte outside of the name. The bit that makes a letter small is set in all bytes: a CR
// would then equal a hyphen, but a token has no CR.
struct alignas(32) Slot {
    std::array<std::uint64_t, 3> words{};
    FieldName id = FieldName::other;
    std::uint8_t size = 0;
};
inline constexpr std::uint64_t small_letters = 0x2020'2020'2020'2020;

template <typename Number>
constexpr Number load(const char* from) noexcept {
    std::array<char, sizeof(Number)> bytes{};
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes[i] = from[i];  // one instruction
    return std::bit_cast<Number>(bytes);
}

constexpr std::array<std::uint64_t, 3> words_of(std::string_view name) noexcept {
    const char* const text = name.data();
    const std::size_t size = name.size();
    if (size >= 8)
        return {load<std::uint64_t>(text), load<std::uint64_t>(text + size - 8),
                size > 16 ? load<std::uint64_t>(text + 8) : 0};
    if (size >= 4) return {load<std::uint32_t>(text), load<std::uint32_t>(text + size - 4), 0};
    return {load<std::uint8_t>(text), load<std::uint8_t>(text + size - 1), 0};
}

constexpr std::array<Slot, slot_count> make_slots() {
    std::array<Slot, slot_count> slots;
    for (std::size_t id = 0; id < known; ++id) {
        const std::string_view name = names[id];
        if (name.size() > name_size_max) throw "a name is longer than the words of a slot";
        Slot& slot = slots[slot_of(name.size(), name.front(), name.back())];
        if (slot.size != 0) throw "two names share a slot: choose other factors in slot_of";
        slot = {words_of(name), static_cast<FieldName>(id), static_cast<std::uint8_t>(name.size())};
        for (std::uint64_t& word : slot.words) word |= small_letters;
    }
    return slots;
}

inline constexpr std::array<Slot, slot_count> slots = make_slots();

/// `token` must be a token (RFC 9110 5.6.2), so it is not empty. Returns `other` for an unknown
/// name.
inline FieldName recognised(std::string_view token) noexcept {
    const Slot& slot = slots[slot_of(token.size(), token.front(), token.back())];
    if (slot.size != token.size()) return FieldName::other;
    const auto words = words_of(token);
    const std::uint64_t difference = ((words[0] | small_letters) ^ slot.words[0]) |
                                     ((words[1] | small_letters) ^ slot.words[1]) |
                                     ((words[2] | small_letters) ^ slot.words[2]);
    return difference == 0 ? slot.id : FieldName::other;
}

}  // namespace weir::http::field_names

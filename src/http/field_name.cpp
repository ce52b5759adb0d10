#include "weir/http/field_name.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace weir::http {
namespace {

constexpr std::size_t known = static_cast<std::size_t>(FieldName::other);

// In the order of the enumeration.
constexpr std::array<std::string_view, known + 1> names = {
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

constexpr unsigned char lower(char byte) noexcept {
    const auto value = static_cast<unsigned char>(byte);
    return value - unsigned{'A'} < 26 ? static_cast<unsigned char>(value | 0x20) : value;
}

// Size, first and last byte tell the known names apart.
constexpr std::size_t slot_count = 64;
constexpr std::size_t slot_of(std::size_t size, char first, char last) noexcept {
    return (size * 7 + (first | 0x20u) + (last | 0x20u)) % slot_count;
}

// A name as words of 8 bytes, each laid over the one before where the name is no multiple of 8, so
// that a comparison needs no loop over bytes and reads none that isn't the name's. `fold` has the
// bit that makes a letter small: a hyphen has none, so that no other byte passes for it.
struct Pattern {
    std::uint64_t text = 0;
    std::uint64_t fold = 0;
};

struct Slot {
    FieldName id = FieldName::other;
    std::uint8_t size = 0;
    std::array<Pattern, 3> words;
};

constexpr std::size_t word_begin(std::size_t size, std::size_t word) {
    return word * 8 + 8 <= size || size < 8 ? word * 8 : size - 8;
}

constexpr std::size_t words_in(std::size_t size) { return (size + 7) / 8; }

constexpr Pattern pattern_of(std::string_view part) {
    Pattern pattern;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const std::size_t byte = std::endian::native == std::endian::little ? i : 7 - i;
        pattern.text |= std::uint64_t{static_cast<unsigned char>(part[i])} << (8 * byte);
        if (part[i] != '-') pattern.fold |= std::uint64_t{0x20} << (8 * byte);
    }
    return pattern;
}

constexpr std::array<Slot, slot_count> make_slots() {
    std::array<Slot, slot_count> slots;
    for (std::size_t id = 0; id < known; ++id) {
        const std::string_view name = names[id];
        Slot& slot = slots[slot_of(name.size(), name.front(), name.back())];
        if (slot.size != 0) throw "two names share a slot: choose other factors in slot_of";
        slot.id = static_cast<FieldName>(id);
        slot.size = static_cast<std::uint8_t>(name.size());
        for (std::size_t word = 0; word < words_in(name.size()); ++word)
            slot.words[word] = pattern_of(name.substr(word_begin(name.size(), word), 8));
    }
    return slots;
}

constexpr std::array<Slot, slot_count> slots = make_slots();

// memcpy of a size that is known at compile time is one instruction; of one that isn't, a call.
std::uint64_t load(const char* from, std::size_t size) noexcept {
    std::uint64_t word = 0;
    if (size >= 8) {
        std::memcpy(&word, from, 8);
        return word;
    }
    char bytes[8] = {};
    for (std::size_t i = 0; i < size; ++i) bytes[i] = from[i];
    std::memcpy(&word, bytes, 8);
    return word;
}

}  // namespace

FieldName field_name_from(std::string_view text) noexcept {
    if (text.empty()) return FieldName::other;
    const Slot& slot = slots[slot_of(text.size(), text.front(), text.back())];
    if (slot.size != text.size()) return FieldName::other;
    for (std::size_t word = 0; word < words_in(text.size()); ++word) {
        const Pattern& pattern = slot.words[word];
        const std::size_t begin = word_begin(text.size(), word);
        if ((load(text.data() + begin, text.size() - begin) | pattern.fold) != pattern.text)
            return FieldName::other;
    }
    return slot.id;
}

std::string_view to_text(FieldName name) noexcept { return names[static_cast<std::size_t>(name)]; }

bool equals_ignoring_case(std::string_view left, std::string_view right) noexcept {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (lower(left[i]) != lower(right[i])) return false;
    return true;
}

}  // namespace weir::http

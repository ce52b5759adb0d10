#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/field_name.h"
#include "weir/http/method.h"

namespace weir::http {

/// A stretch of the head, as offsets from its first byte: the bytes may move (into memory of the
/// connection's own), the index stays true.
struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;

    std::string_view in(const char* base) const noexcept { return {base + begin, size}; }
};

struct FieldLine {
    Stretch name;
    Stretch value;  // without the white space around it
    FieldName id = FieldName::other;
};

/// RFC 9112 3.2
enum class TargetForm : std::uint8_t { origin, absolute, authority, asterisk };

/// Where the parts of one head lie. Filled by the parser, read through Request.
struct HeadIndex {
    static constexpr std::size_t known_names = static_cast<std::size_t>(FieldName::other);

    Stretch method_text;
    Stretch target;
    Stretch authority;  // of an absolute- or authority-form target; else of Host; may be empty
    Stretch path;       // of the target, up to `?`; "*" in asterisk-form; empty in authority-form
    Stretch query;      // what follows the first `?`
    Method method = Method::unknown;
    TargetForm form = TargetForm::origin;
    std::uint8_t minor_version = 1;  // HTTP/1.x as the peer wrote it: 0 to 9
    std::uint32_t size = 0;          // of the whole head, its empty line included
    std::vector<FieldLine> fields;
    std::array<std::uint16_t, known_names>
        first{};                 // 1 + index into `fields`; 0 where there is none
    std::uint32_t repeated = 0;  // bit(name): in more than one of them

    static constexpr std::uint32_t bit(FieldName name) noexcept {
        return std::uint32_t{1} << static_cast<unsigned>(name);
    }
    static_assert(known_names <= 32);

    /// Keeps the memory of `fields`. One by one, as GCC clears all of it by an instruction that is
    /// slow to begin (rep stos).
    void clear() noexcept {
        method_text = target = authority = path = query = {};
        method = Method::unknown;
        form = TargetForm::origin;
        minor_version = 1;
        size = repeated = 0;
        first = {};
        fields.clear();
    }

    const FieldLine* find(FieldName name) const noexcept {
        const auto at = first[static_cast<std::size_t>(name)];
        return at == 0 ? nullptr : &fields[at - 1u];
    }
    bool has(FieldName name) const noexcept { return first[static_cast<std::size_t>(name)] != 0; }
    bool is_repeated(FieldName name) const noexcept { return (repeated & bit(name)) != 0; }
};

}  // namespace weir::http

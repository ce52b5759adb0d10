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

/// A part of the head, as offsets from the head's first byte. The offsets stay valid if the bytes
/// move, for example into the connection's own memory.
struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;

    std::string_view in(const char* base) const noexcept { return {base + begin, size}; }
};

struct FieldLine {
    Stretch name;
    Stretch value;  // without the white space around it (OWS)
    FieldName id = FieldName::other;
};

/// RFC 9112 3.2
enum class TargetForm : std::uint8_t { origin, absolute, authority, asterisk };

/// The positions of the parts of one head. The parser fills the index; handlers read it through
/// Request.
struct HeadIndex {
    static constexpr std::size_t known_names = static_cast<std::size_t>(FieldName::other);

    Stretch method_text;
    Stretch target;
    Stretch authority;  // from an absolute- or authority-form target, otherwise from Host; may be
                        // empty
    Stretch path;       // of the target, before `?`; "*" in asterisk-form; empty in authority-form
    Stretch query;      // of the target, after the first `?`
    Method method = Method::unknown;
    TargetForm form = TargetForm::origin;
    std::uint8_t minor_version = 1;  // the x of HTTP/1.x as the peer sent it: 0 to 9
    std::uint32_t size = 0;          // bytes of the whole head, including its empty line
    std::vector<FieldLine> fields;
    /// For each known name: 1 + the index of its first line in `fields`; 0 if there is none.
    std::array<std::uint16_t, known_names> first{};
    std::uint32_t repeated = 0;  // bit(name): several lines have that name

    static constexpr std::uint32_t bit(FieldName name) noexcept {
        return std::uint32_t{1} << static_cast<unsigned>(name);
    }
    static_assert(known_names <= 32);

    /// Resets everything, but keeps the memory of `fields`. Does it member by member, because GCC
    /// would clear a whole object with an instruction that is slow to start (rep stos).
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

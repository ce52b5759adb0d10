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

/// The positions of the parts of one head. The parser fills it; handlers read it through Request.
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

    /// Resets everything, but keeps the memory of `fields`.
    void clear() noexcept {
        HeadIndex fresh;
        fresh.fields.swap(fields);
        fresh.fields.clear();
        *this = std::move(fresh);
    }

    const FieldLine* find(FieldName name) const noexcept {
        const auto at = first[static_cast<std::size_t>(name)];
        return at == 0 ? nullptr : &fields[at - 1u];
    }
};

}  // namespace weir::http

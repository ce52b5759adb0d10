#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tests::plain {

/// A JSON text (RFC 8259), read strictly.
struct Json {
    enum class Kind { text, number, word, list, object };
    Kind kind = Kind::word;
    std::string text;  // a string's characters in UTF-8; a number or a word as it is written
    std::vector<std::string> names;  // of an object's values; those of a list have empty ones
    std::vector<Json> values;

    const Json* find(std::string_view name) const;
};

/// Nothing if the text is not JSON in UTF-8.
std::optional<Json> read_json(std::string_view text);

}  // namespace weir::tests::plain

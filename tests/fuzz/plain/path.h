#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::tests::plain {

/// What docs/http.md says of a path, done slowly: split, decode, walk.
struct Path {
    int refusal = 0;                    // 400 or 404; 0: none
    std::vector<std::string> segments;  // decoded, without `.`, `..` and empty ones
    bool ends_in_slash = true;

    std::string text() const;
    /// A name starts with a dot, and is not the first one, .well-known (RFC 8615).
    bool is_hidden() const;
};

Path read_path(std::string_view target);

/// The pieces between separators: one more than there are separators.
std::vector<std::string> split(std::string_view text, char separator);

/// Decodes each "%41" (RFC 3986 2.1). A malformed one stays.
std::string percent_decoded(std::string_view text);

}  // namespace weir::tests::plain

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::web {

/// RFC 4648 4, with padding.
std::string base64_encoded(std::string_view bytes);
/// RFC 4648 4, strictly: with padding, and no other characters. Null if the text is malformed.
std::optional<std::string> base64_decoded(std::string_view text);

}  // namespace weir::web

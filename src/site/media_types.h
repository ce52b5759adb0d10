#pragma once

#include <string>
#include <string_view>

namespace weir::site {

/// By the name's extension, without regard to case; application/octet-stream for what is not known.
std::string_view media_type_of(std::string_view file_name) noexcept;

/// The value of Content-Type: text is UTF-8, and says so.
std::string content_type_of(std::string_view media_type);

}  // namespace weir::site

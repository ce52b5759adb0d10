#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace weir::tls {

/// Writes a file that exists whole or not at all, with mode 0600. The error is a sentence.
std::expected<void, std::string> write_private(const std::string& path, std::string_view text);

}  // namespace weir::tls

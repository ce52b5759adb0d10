#pragma once

#include <expected>
#include <string>

namespace weir::tls {

/// Returns the bytes of a small file. The error is a sentence: "cannot read a.pem: No such file or
/// directory", "a.pem is a folder", "a.pem is empty".
std::expected<std::string, std::string> read_whole(const std::string& path);

}  // namespace weir::tls

#pragma once

#include <expected>
#include <string>

namespace weir::tls {

/// The bytes of a small file. Or why there are none: "cannot read a.pem: No such file or directory",
/// "a.pem is a folder", "a.pem is empty".
std::expected<std::string, std::string> read_whole(const std::string& path);

}  // namespace weir::tls

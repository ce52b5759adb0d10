#pragma once

#include <expected>
#include <string>
#include <vector>

#include "weir/tls/tls.h"

namespace weir::tls {

/// Each folder is replaced by the pairs in it, sorted by name. Or a sentence that says which folder
/// has none.
std::expected<std::vector<CertificateFiles>, std::string> without_folders(
    const std::vector<CertificateFiles>& files);

}  // namespace weir::tls

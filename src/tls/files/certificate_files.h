#pragma once

#include <expected>
#include <string>
#include <vector>

#include "weir/tls/tls.h"

namespace weir::tls {

/// Replaces each folder by the pairs in it, sorted by name. The error is a sentence that names a
/// folder without a pair.
std::expected<std::vector<CertificateFiles>, std::string> without_folders(
    const std::vector<CertificateFiles>& files);

}  // namespace weir::tls

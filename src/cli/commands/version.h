#pragma once

#include <string>

namespace weir::cli {

/// Several lines: the version, the compiler, the engines, the protocols, the libraries of TLS and
/// compression with their versions, and the optional parts of this build.
std::string version();

}  // namespace weir::cli

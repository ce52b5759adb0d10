#pragma once

#include <expected>
#include <string>

namespace weir::tls {

/// Makes OpenSSL build its tables of the algorithms that handshakes need, before the first
/// handshake. OpenSSL builds a table once: if there is no memory for an algorithm, the algorithm
/// stays missing for the life of the process (OpenSSL 3.0, crypto/core_algorithm.c), and each
/// handshake that needs it fails. So a lack of memory is an error here. An algorithm that the
/// configuration excludes, for example with FIPS, is no error.
std::expected<void, std::string> load_algorithms();

}  // namespace weir::tls

#pragma once

#include <expected>
#include <string>

namespace weir::tls {

/// Has OpenSSL build its tables of the algorithms that handshakes need, before the first handshake does.
/// It builds a table once: an algorithm that memory was missing for stays missing as long as the process
/// lives (OpenSSL 3.0, crypto/core_algorithm.c), and each handshake that needs it fails. So memory that is
/// missing is an error here. An algorithm that the configuration leaves out is none, for example with FIPS.
std::expected<void, std::string> load_algorithms();

}  // namespace weir::tls

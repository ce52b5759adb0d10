#pragma once

#include <cstddef>
#include <expected>
#include <string>

namespace weir::tls {

/// Limits for the reading of a file.
struct Reading {
    /// The function ignores the bytes of a longer file, but for some behind the limit. A bundle of
    /// all CAs has a quarter of 4 MB.
    std::size_t bytes_max = std::size_t{4} << 20U;
    int flags = 0;  // for open(2), beside those of every file
};

/// Returns the bytes of a small file. The error is a sentence: "cannot read a.pem: No such file or
/// directory", "a.pem is a folder", "a.pem is empty".
std::expected<std::string, std::string> read_whole(const std::string& path, Reading how = {});

}  // namespace weir::tls

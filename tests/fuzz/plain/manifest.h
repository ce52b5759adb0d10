#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tests::plain {

/// A manifest of hashes, as sha256sum(1) writes it.
struct Manifest {
    std::map<std::string, std::string> hashes{};  // by path, in lower case
    std::vector<std::size_t> wrong{};             // numbers of lines; the first is 1
};

Manifest read_manifest(std::string_view text, const std::string& folder);

}  // namespace weir::tests::plain

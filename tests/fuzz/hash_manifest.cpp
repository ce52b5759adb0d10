// A manifest has the hashes of its lines, and names the lines that are wrong. A plain model reads it,
// too. The limits of a line and of a path are far away, so a `%` is long.

#include "site/fields/hash_manifest.h"

#include <algorithm>
#include <map>
#include <string>

#include "fuzz/fuzz_input.h"
#include "fuzz/plain/manifest.h"

namespace weir::tests {
namespace {

/// Each `%` stands for many bytes.
std::string stretched(const FuzzInput& input) {
    constexpr std::size_t bytes = 2'000, times_max = 8;
    std::string text{input.text};
    std::size_t times = 0;
    for (auto at = text.find('%'); at != text.npos && times < times_max; ++times)
        at = text.replace(at, 1, bytes + input.cut % 100, 'n').find('%', at);
    return text;
}

void check_faults(const site::HashManifest& manifest, const plain::Manifest& model) {
    const std::size_t told = std::min(model.wrong.size(), site::HashManifest::faults_max);
    require(manifest.faults().size() == told);
    require(manifest.further_faults() == model.wrong.size() - told);
    for (std::size_t i = 0; i < told; ++i) {
        require(manifest.faults()[i].line == model.wrong[i]);
        require(!manifest.faults()[i].text.empty());
    }
}

/// Equal hashes are equal numbers, and others are others.
void check_hashes(const site::HashManifest& manifest, const plain::Manifest& model) {
    std::map<std::string, std::uint64_t> numbers;
    std::map<std::uint64_t, std::string> hashes;
    for (const auto& [path, hash] : model.hashes) {
        const auto found = manifest.find(path);
        require(found.has_value());
        require(numbers.try_emplace(hash, *found).first->second == *found);
        require(hashes.try_emplace(*found, hash).first->second == hash);
        require(manifest.find(path + 'x').has_value() == model.hashes.contains(path + 'x'));
    }
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string folder = input.choice % 2 == 0 ? "" : "a/b";
    const ExactCopy text{stretched(input)};
    const site::HashManifest manifest{text.view(), folder};
    const auto model = plain::read_manifest(text.view(), folder);
    require(!manifest.is_too_long());
    require(!manifest.find(""));
    check_faults(manifest, model);
    check_hashes(manifest, model);
}

}  // namespace weir::tests

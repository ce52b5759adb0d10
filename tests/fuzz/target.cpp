// A path is decoded as the plain model says, never leaves the root, and its encoded form leads to
// it again.

#include "site/path/target_path.h"

#include <vector>

#include "fuzz/fuzz_input.h"
#include "fuzz/plain/path.h"

namespace weir::tests {
namespace {

void check_encoding(const std::string& path) {
    constexpr std::string_view special = "<>&'\" ?#\\%";
    std::string encoded;
    site::append_encoded(encoded, path);
    require(plain::percent_decoded(encoded) == path);
    for (std::size_t at = 0; at < encoded.size(); ++at) {
        const char c = encoded[at];
        require(c > ' ' && c < 0x7f);
        require(c == '%' || !special.contains(c));
    }
}

void check_segments(std::string_view path) {
    require(path.starts_with('/') && !path.contains('\0') && !path.contains("//"));
    for (const std::string& segment : plain::split(path, '/'))
        require(segment != "." && segment != "..");
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy target{input.text};
    std::vector<char> buffer(input.text.size());  // a sanitizer sees a write past it
    const auto path = site::target_path(target.view(), buffer);
    const plain::Path plain = plain::read_path(input.text);
    require(path.has_value() == (plain.refusal == 0));
    check_encoding(std::string{input.text});
    if (!path) return require(static_cast<int>(path.error()) == plain.refusal);
    require(*path == plain.text());
    require(site::is_hidden(*path) == plain.is_hidden());
    check_segments(*path);
    std::string encoded;
    site::append_encoded(encoded, *path);
    std::vector<char> again(encoded.size());
    require(site::target_path(encoded, again) == *path);
}

}  // namespace weir::tests

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tests::plain {

/// One member of Accept or Accept-Encoding.
struct Wish {
    std::string name;  // lower case
    int thousandths = 1000;
};

/// RFC 9110 12.4.2: the members of all lines of the field. Nothing if a member is not a name with
/// at most a weight behind it: then a server may do as it likes.
std::optional<std::vector<Wish>> read_wishes(const std::vector<std::string>& lines);

/// RFC 9110 12.5.3: the best of the available codings ("br", "zstd", "gzip", "identity", in the
/// order in which the server prefers them); empty if none is acceptable. If a coding is named twice,
/// the last one wins.
std::string best_coding(const std::vector<Wish>& wishes, const std::vector<std::string>& available);

/// RFC 9110 12.5.1: the weight of a media type, by its most specific member.
int weight_of(const std::vector<Wish>& wishes, std::string_view media_type);

}  // namespace weir::tests::plain

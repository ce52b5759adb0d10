#pragma once

#include <string>
#include <string_view>

namespace weir::compress {

/// The entity tag of the compressed content: "v1" becomes "v1-gzip". It stays weak if it was. `token` as
/// in Content-Encoding.
std::string coded_tag(std::string_view tag, std::string_view token);

/// A line of If-Match in which the handler finds its own tags: "v1-gzip" becomes "v1", "v1-gzip". Empty
/// if the line has no tag of a coding.
std::string with_plain_tags(std::string_view line);

}  // namespace weir::compress

#pragma once

#include <string>
#include <string_view>

namespace weir::compress {

/// The entity tag of the compressed content: "v1" becomes "v1-gzip". A weak tag stays weak. `token`
/// as in Content-Encoding.
std::string coded_tag(std::string_view tag, std::string_view token);

/// Returns a line of If-Match with the handler's own tags added: "v1-gzip" becomes "v1", "v1-gzip".
/// Empty if the line has no tag of a coding.
std::string with_plain_tags(std::string_view line);

}  // namespace weir::compress

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::site {

/// All paths that the path of a request-target may mean to a server behind this one, each encoded
/// so that target_path() reads it. The server may take an encoded slash for a separator, and drop
/// the parameters of segments (RFC 3986 3.3): "/a;b%2Fc" may mean "/a;b%2Fc", "/a", "/a;b/c" and
/// "/a/c". Most paths have one reading, which is the path itself.
std::vector<std::string> readings_of(std::string_view path);

/// The path, with encoded slashes that are still encoded when it has been decoded once.
std::string with_slashes_encoded_twice(std::string_view path);

}  // namespace weir::site

#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace weir::dav {

/// A lock (RFC 4918 6).
struct Lock {
    std::string token{};  // a URI
    std::string path{};   // its root, relative to that of the site
    std::string owner{};  // DAV:owner as XML; empty: none
    std::string user{};   // the holder; empty if no name is asked for
    bool is_exclusive = true;
    bool is_infinite = true;      // Depth
    bool is_folder = false;       // the root
    std::chrono::seconds time{};  // the rest of it
};

/// "urn:uuid:..." with random bits (RFC 4122 4.4), so that nobody can guess it.
std::string new_lock_token();

}  // namespace weir::dav

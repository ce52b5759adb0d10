#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dav/methods/asked.h"
#include "dav/xml/element.h"
#include "weir/http/response.h"

namespace weir::dav {

/// A member for which a method has failed (RFC 4918 9.6.1).
struct Failure {
    std::string path;
    bool is_folder = false;
    http::Status status{};
    std::string condition{};  // as in Fault; may be empty
};
/// A method that has failed for so many members does not go on.
inline constexpr std::size_t failures_max = 1000;

/// A document with the root `root`, which declares the prefix D.
std::string document(std::string_view root, std::string_view inside);
http::Response xml_response(http::Status status, std::string document);

/// 207 with a response for each failure.
http::Response failed(const Asked& asked, const std::vector<Failure>& failures);
/// DAV:error with the condition that was not met.
http::Response error(http::Status status, std::string_view condition);

/// The condition for a lock whose token is missing. `root`: that of the lock.
std::string missing_token(const Asked& asked, std::string_view root, bool is_folder);

/// Appends DAV:status.
void append_status(std::string& out, http::Status status);
/// Appends an empty element of the name.
void append_name(std::string& out, const Name& name);

}  // namespace weir::dav

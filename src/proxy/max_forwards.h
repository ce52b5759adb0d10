#pragma once

#include <cstdint>
#include <optional>

#include "weir/http/request.h"

namespace weir::proxy {

/// The number in a line of Max-Forwards (RFC 9110 7.6.2). Null for any other line, for what is no
/// number, and for methods other than OPTIONS and TRACE.
std::optional<std::uint64_t> max_forwards(const http::Request& request,
                                          const http::FieldLine& line) noexcept;

/// True if the request may not be passed on any more.
bool is_at_its_end(const http::Request& request) noexcept;

}  // namespace weir::proxy

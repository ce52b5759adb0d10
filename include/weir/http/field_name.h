#pragma once

#include <cstdint>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

/// The fields that the core or the static site looks up. The parser recognises their names once, so
/// that a look-up is an index and not a search.
enum class FieldName : std::uint8_t {
    accept,
    accept_encoding,
    authorization,
    connection,
    content_length,
    content_type,
    cookie,
    expect,
    host,
    if_match,
    if_modified_since,
    if_none_match,
    if_range,
    if_unmodified_since,
    origin,
    range,
    referer,
    te,
    transfer_encoding,
    upgrade,
    user_agent,
    other,  // must be last: its value is the number of known names
};

/// Compares without regard to case (RFC 9110 5.1). Returns `other` for an unknown name.
FieldName field_name_from(std::string_view text) noexcept;

/// The name in lower case, in static memory; empty for `other`.
std::string_view to_text(FieldName name) noexcept;

/// Compares without regard to case, in US-ASCII only. Field names, connection options and most
/// other tokens compare this way.
bool equals_ignoring_case(std::string_view left, std::string_view right) noexcept;

}  // namespace weir::http

#pragma once

#include <cstdint>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

/// Status codes (RFC 9110 15). The enumerators are those that weir itself sends; any other
/// three-digit code may be cast to Status. See final_status().
enum class Status : std::uint16_t {
    continue_ = 100,
    switching_protocols = 101,
    early_hints = 103,
    ok = 200,
    created = 201,
    accepted = 202,
    no_content = 204,
    partial_content = 206,
    moved_permanently = 301,
    found = 302,
    see_other = 303,
    not_modified = 304,
    temporary_redirect = 307,
    permanent_redirect = 308,
    bad_request = 400,
    unauthorized = 401,
    forbidden = 403,
    not_found = 404,
    method_not_allowed = 405,
    not_acceptable = 406,
    request_timeout = 408,
    conflict = 409,
    gone = 410,
    length_required = 411,
    precondition_failed = 412,
    content_too_large = 413,
    uri_too_long = 414,
    unsupported_media_type = 415,
    range_not_satisfiable = 416,
    expectation_failed = 417,
    unprocessable_content = 422,
    upgrade_required = 426,
    too_many_requests = 429,
    request_header_fields_too_large = 431,
    internal_server_error = 500,
    not_implemented = 501,
    bad_gateway = 502,
    service_unavailable = 503,
    gateway_timeout = 504,
    http_version_not_supported = 505,
    insufficient_storage = 507,
};

constexpr unsigned code(Status status) noexcept { return static_cast<unsigned>(status); }

/// 2xx
constexpr bool is_success(Status status) noexcept { return code(status) / 100 == 2; }

namespace detail {
[[noreturn]] void refuse_status(Status status);
}

/// Returns `status`. Throws std::invalid_argument if no final response can have it: a status
/// without three digits, and a 1xx, which is not the end of an exchange (RFC 9110 15.2).
constexpr Status final_status(Status status) {
    if (code(status) < 200 || code(status) > 999) [[unlikely]]
        detail::refuse_status(status);
    return status;
}

/// The reason phrase of the IANA registry; "Unknown" if the registry does not have the code.
std::string_view reason(Status status) noexcept;

/// Messages with 1xx, 204 or 304 end with the header section, whatever their fields say (RFC 9112
/// 6.3, rule 1).
constexpr bool may_have_content(Status status) noexcept {
    return code(status) >= 200 && status != Status::no_content && status != Status::not_modified;
}

}  // namespace weir::http

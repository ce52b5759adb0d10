#pragma once

#include <cstdint>
#include <string_view>

#include "weir/http/status.h"

namespace weir::http {

/// An error in a request. It is a value and not an exception, because wrong requests are common.
enum class Fault : std::uint8_t {
    none,
    // The request line
    malformed_request_line,
    method_too_long,
    request_line_too_long,
    malformed_target,
    unsupported_version,
    // The header section
    malformed_field_name,
    white_space_before_colon,
    malformed_field_value,
    obsolete_line_folding,
    bare_cr_or_lf,
    field_line_too_long,
    head_too_long,
    too_many_fields,
    // The meaning of the fields
    missing_host,
    duplicate_host,
    malformed_host,
    malformed_content_length,
    conflicting_content_length,
    content_length_with_transfer_encoding,
    malformed_transfer_encoding,
    unknown_transfer_coding,
    transfer_encoding_in_http_1_0,
    unknown_expectation,
    // Content
    content_too_long,
    malformed_chunk_size,
    chunk_line_too_long,
    chunk_extensions_too_long,
    malformed_chunk_end,
    malformed_trailer,
    trailers_too_long,
    // The server has no capacity; the peer did nothing wrong
    overloaded,
    // Time
    head_too_slow,
    content_too_slow,
    handler_too_slow,
};

/// The response to a fault, and the section of the RFC that defines the fault.
struct FaultAnswer {
    Fault fault;
    Status status;
    std::string_view text;     // one sentence for the error page, without a full stop at its end
    std::string_view section;  // "RFC 9112 5.1"; empty for the server's own limits and timers
};

const FaultAnswer& answer_to(Fault fault) noexcept;

}  // namespace weir::http

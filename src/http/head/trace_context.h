#pragma once

#include <string_view>

namespace weir::http {

/// Returns the trace ID of a traceparent field (W3C Trace Context 3.2): its 32 digits, a part of
/// `traceparent`. Empty if the field is not valid.
std::string_view trace_id_of(std::string_view traceparent) noexcept;

}  // namespace weir::http

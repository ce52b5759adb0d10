#include "http/head/trace_context.h"

#include "base/hexadecimal.h"

namespace weir::http {
namespace {

/// Lower-case digits.
bool is_hex(std::string_view text) noexcept {
    return text.find_first_not_of(hex_digits) == text.npos;
}

/// Lower-case digits, not all of which are zero (W3C Trace Context 3.2.2).
bool is_hex_id(std::string_view text) noexcept {
    return is_hex(text) && text.find_first_not_of('0') != text.npos;
}

}  // namespace

std::string_view trace_id_of(std::string_view traceparent) noexcept {
    // "00-<32 digits>-<16 digits>-<2 digits>", or a later version with more behind it.
    constexpr std::size_t size = 55;
    if (traceparent.size() < size || traceparent[2] != '-' || traceparent[35] != '-' ||
        traceparent[52] != '-')
        return {};
    if (traceparent.starts_with("ff") || !is_hex(traceparent.substr(0, 2)) ||
        !is_hex(traceparent.substr(53, 2)))
        return {};
    const bool is_longer = traceparent.size() > size;
    if (is_longer && (traceparent.starts_with("00") || traceparent[size] != '-')) return {};
    const std::string_view trace = traceparent.substr(3, 32);
    const std::string_view span = traceparent.substr(36, 16);
    return is_hex_id(trace) && is_hex_id(span) ? trace : std::string_view{};
}

}  // namespace weir::http

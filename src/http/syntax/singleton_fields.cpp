#include "http/syntax/singleton_fields.h"

#include <array>
#include <cstdint>

#include "http/syntax/name_list.h"

namespace weir::http {
namespace {

constexpr auto singletons = std::to_array<std::string_view>({
    // RFC 9110
    "Content-Location", "Content-Range", "Content-Type", "ETag", "Last-Modified", "Location",
    "Retry-After", "Server",
    // RFC 9111
    "Age", "Expires",
    "Content-Disposition",        // RFC 6266
    "Strict-Transport-Security",  // RFC 6797 7.1
    "X-Frame-Options",            // RFC 7034
    "Sunset",                     // RFC 8594
    "Deprecation",                // RFC 9745
    "Sec-WebSocket-Accept",       // RFC 6455 11.3.3
    "Sec-WebSocket-Protocol",     // RFC 6455 11.3.4, in a response
    // Fetch Standard
    "Access-Control-Allow-Credentials", "Access-Control-Allow-Origin", "Access-Control-Max-Age",
    "Cross-Origin-Resource-Policy", "X-Content-Type-Options",
    // HTML Standard
    "Cross-Origin-Embedder-Policy", "Cross-Origin-Embedder-Policy-Report-Only",
    "Cross-Origin-Opener-Policy", "Cross-Origin-Opener-Policy-Report-Only", "Origin-Agent-Cluster",
    "Refresh",
    // Others
    "SourceMap",          // ECMA-426
    "X-Accel-Buffering",  // of nginx
});

constexpr auto sizes = [] {
    std::uint64_t bits = 0;
    for (const std::string_view name : singletons) bits |= std::uint64_t{1} << name.size();
    return bits;
}();

}  // namespace

bool is_singleton(std::string_view name) noexcept {
    return name.size() < 64 && (sizes >> name.size() & 1) != 0 && is_one_of(name, singletons);
}

}  // namespace weir::http

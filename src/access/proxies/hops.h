#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/access/proxies.h"
#include "weir/http/request.h"

namespace weir::access {

/// The content of one element of the field.
struct Hop {
    enum class Kind : std::uint8_t {
        address,  // of IPv4 or IPv6, without port and brackets
        unnamed,  // "unknown", or a name that hides the address (RFC 7239 6.2 and 6.3)
        malformed,
    };
    Kind kind = Kind::malformed;
    std::string_view address{};
    std::string_view scheme{};  // "https"; empty: the element does not say it
};

/// "192.0.2.7", "192.0.2.7:80", "2001:db8::7", "[2001:db8::7]:80".
Hop read_x_forwarded_for(std::string_view element) noexcept;
/// "for=192.0.2.7;proto=https", `For="[2001:db8::7]:80"` (RFC 7239 4).
Hop read_forwarded(std::string_view element) noexcept;

/// The value of X-Forwarded-Proto; empty if there is none, or several: they could be the client's.
std::string_view x_forwarded_proto(const http::Request& request) noexcept;

/// The elements of the field in all lines of a request, from the last to the first: the nearest
/// proxy has added the last one. Elements before the last `max` are ignored.
class Hops {
   public:
    static constexpr std::size_t max = 32;

    Hops(const http::Request& request, ForwardedField field) noexcept;

    /// Null if there is no further one.
    std::optional<Hop> next() noexcept;

   private:
    void add(std::string_view list) noexcept;

    const ForwardedField field_;
    std::array<std::string_view, max> elements_;  // a ring; the borrowed text is the request's
    std::size_t added_ = 0;
    std::size_t left_ = 0;
};

}  // namespace weir::access

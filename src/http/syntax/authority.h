#pragma once

#include <cstdint>
#include <string_view>

namespace weir::http {

enum class Port : std::uint8_t { optional, required };

/// True for uri-host [ ":" port ] of RFC 9110 7.2 with a host that is not empty: a name, an IPv4
/// address, or an IPv6 address in brackets. No userinfo, no zone, no port past 65535.
bool is_authority(std::string_view text, Port port) noexcept;

}  // namespace weir::http

#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"

namespace weir::access {

/// The field in which proxies name their client.
enum class ForwardedField : std::uint8_t {
    x_forwarded_for,
    forwarded,  // RFC 7239
};

/// A handler that trusts the proxies of some networks, and calls `inner`, which must outlive it.
/// For a request of such a proxy, the address of Request::origin() is the one that the field names:
/// from the last element on, past those that are trusted proxies themselves, 32 at most. If one of
/// these elements can't be read, the response is a 400: otherwise a client could pass for the
/// proxy. If the proxies hide the client ("unknown", "_name"), the address is "unknown", which no
/// network contains.
///
/// The handler belongs outside of all handlers that ask for the client. `networks` are written as
/// in NetworkRule; the error is a sentence without its full stop.
std::expected<std::unique_ptr<http::Handler>, std::string> trust_proxies(
    http::Handler& inner, const std::vector<std::string>& networks, ForwardedField field);

/// A function that returns true if an address, as Origin::append_address() writes it, is in one of
/// the networks: for server::Options::proxy_protocol. Thread-safe. The error: as above.
std::expected<std::function<bool(std::string_view)>, std::string> is_one_of(
    const std::vector<std::string>& networks);

}  // namespace weir::access

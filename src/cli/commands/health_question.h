#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "net/address.h"

namespace weir::cli {

/// A server to ask, and for what.
struct Target {
    net::Address address;
    std::string host = "localhost";  // in its own certificate
    std::string authority = "localhost";
    std::string path = "/";
    enum class Scheme : std::uint8_t { unknown, http, https };
    Scheme scheme = Scheme::unknown;
};

/// "https://127.0.0.1:8443/ready", or an address as --bind takes it. Or why it is neither.
std::expected<Target, std::string> parse_target(const std::string& text,
                                                std::uint16_t default_port);

struct Status {
    std::string digits;  // "200"
    bool over_tls = false;
};

/// Sends one request. Where the scheme is not known, in plain first: a server of TLS answers that with
/// 400, or not in HTTP, and is asked again. `ca`: see tls::Question. The error is a sentence without
/// its subject: "does not answer: Connection refused".
std::expected<Status, std::string> ask(const Target& target, const std::string& ca);

}  // namespace weir::cli

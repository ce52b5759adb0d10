#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "net/address.h"

namespace weir::cli {

/// A server to ask, and the path to ask for.
struct Target {
    net::Address address;
    std::string host = "localhost";  // in its own certificate
    std::string authority = "localhost";
    std::string path = "/";
    enum class Scheme : std::uint8_t { unknown, http, https };
    Scheme scheme = Scheme::unknown;
};

/// Parses "https://127.0.0.1:8443/ready", or an address in the form of --bind. The error says why
/// the text is neither.
std::expected<Target, std::string> parse_target(const std::string& text,
                                                std::uint16_t default_port);

struct Status {
    std::string digits;  // "200"
    bool over_tls = false;
};

/// The way to ask.
struct Manner {
    std::string ca{};  // as tls::Question::ca
    /// The limit for the connection, and for each piece of the response; above 0.
    std::chrono::milliseconds patience{4'000};
};

/// Sends one request. If the scheme is not known, the first request is in plain HTTP: a server with
/// TLS responds with 400, or not in HTTP, and gets a second request over TLS. The error is a
/// sentence without its subject: "does not answer: Connection refused".
std::expected<Status, std::string> ask(const Target& target, const Manner& manner);

}  // namespace weir::cli

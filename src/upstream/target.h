#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"

namespace weir::upstream {

class Name;

/// Another server, as an operator names it.
struct Target {
    std::string url;        // as it is written, without the path
    std::string authority;  // for Host: "127.0.0.1:3000"; "localhost" of a unix socket
    std::string path;       // of the URL; empty: none
    std::string host;       // that it must prove; empty: its connections are plain
    std::string name;       // has addresses to be looked up; empty: none
    std::uint16_t port = 80;
    std::vector<net::Address> addresses;  // in the order in which they are tried
    std::shared_ptr<Name> changing;       // has them in place of `addresses`; null: they stay
};

/// Reads "http://host[:port][/path]", the same with https, or "unix:/path/of/socket". The addresses
/// of a name are not looked up yet. The error is a sentence without its full stop.
std::expected<Target, std::string> parse_target(std::string_view text);

}  // namespace weir::upstream

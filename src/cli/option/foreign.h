#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir::cli {

/// Words of other servers (nginx, caddy, miniserve, dufs, static-web-server, http-server, serve,
/// Python's http.server, darkhttpd, php -S), and what weir has in their place.
struct Foreign {
    std::string_view names;   // "--gzip --brotli -g"
    std::string_view advice;  // without a full stop
};

std::span<const Foreign> foreign_options();
std::span<const Foreign> foreign_commands();

/// What weir has in place of `word`: "; weir has no ...". Empty if the table does not have it.
std::string advice_for(std::string_view word, std::span<const Foreign> table);

}  // namespace weir::cli

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir::cli {

/// Words of other servers (nginx, caddy, miniserve, dufs, static-web-server, http-server, serve,
/// Python's http.server, darkhttpd, php -S), and the equivalents in weir.
struct Foreign {
    std::string_view names;   // "--gzip --brotli -g"
    std::string_view advice;  // without a full stop
};

std::span<const Foreign> foreign_options();
std::span<const Foreign> foreign_commands();

/// Returns the equivalent of `word` in weir: "; weir has no ...". Empty if the table does not have
/// the word.
std::string advice_for(std::string_view word, std::span<const Foreign> table);

}  // namespace weir::cli

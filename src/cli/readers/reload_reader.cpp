#include "cli/readers/reload_reader.h"

#include <string>

namespace weir::cli {

Parsed<net::Address> parse_control(std::string_view text) {
    constexpr std::string_view prefix = "unix:";
    const std::string_view path = text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    if (!path.empty())
        if (const auto address = net::Address::parse(std::string{prefix}.append(path), 0))
            return *address;
    return std::unexpected{"'" + std::string{text} +
                           "' is not a unix socket such as unix:/run/weir/control"};
}

void ReloadReader::add() {
    reader_.value(
        "--control", "unix:PATH", options_.control, parse_control,
        "Socket by which `weir reload`, `weir upgrade`, `weir status` and `weir stop` reach "
        "this server "
        "(by default, none)");
    reader_.value("--ready-timeout", "TIME", options_.ready_timeout, parse_duration,
                  "Time in which the server must serve with its new options after a reload or an "
                  "upgrade; else "
                  "the old ones stay (default: 30s)");
}

}  // namespace weir::cli

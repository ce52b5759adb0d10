#include "cli/readers/operate_reader.h"

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

void OperateReader::add() {
    reader_.group("Operating");
    OperateOptions& operate = options_.operate;
    reader_.value("--control", "unix:PATH", operate.control, parse_control,
                  "Run under a supervisor, which `weir reload`, `weir upgrade`, `weir stop` and "
                  "`weir status` reach by this socket (by default, there is neither)");
    reader_.flag("--supervise", operate.supervise,
                 "Run under a supervisor without a socket: SIGHUP reloads, SIGUSR2 upgrades");
    reader_.value("--ready-timeout", "TIME", operate.ready_timeout, parse_duration,
                  "Time in which a new generation must serve after a reload or an upgrade; if it "
                  "does not, the old one goes on (default: 30s)");
    reader_.value("--drain-delay", "TIME", operate.drain_delay, parse_duration,
                  "When told to stop, say so to health checks, and serve on for this long first "
                  "(default: 0)");
}

}  // namespace weir::cli

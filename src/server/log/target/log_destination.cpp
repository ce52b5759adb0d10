#include "server/log/target/log_destination.h"

namespace weir::server {
namespace {

struct Daemon {
    std::string_view prefix;
    LogDestination::Kind kind;
    std::string_view usual_path;
};

constexpr Daemon daemons[] = {
    {"syslog:", LogDestination::Kind::syslog, "/dev/log"},
    {"journald:", LogDestination::Kind::journald, "/run/systemd/journal/socket"},
};

}  // namespace

LogDestination LogDestination::of(std::string_view text) {
    if (text.empty()) return {};
    if (text == "-") return {.kind = Kind::standard_error};
    for (const auto& [prefix, kind, usual_path] : daemons) {
        if (!text.starts_with(prefix)) continue;
        text.remove_prefix(prefix.size());
        return {.kind = kind, .path = std::string{text.empty() ? usual_path : text}};
    }
    return {.kind = Kind::file, .path = std::string{text}};
}

}  // namespace weir::server

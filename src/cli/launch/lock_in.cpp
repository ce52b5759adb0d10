#include "cli/launch/lock_in.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "engines/engines.h"
#include "server/log/target/log_destination.h"
#include "weir/sandbox/user.h"

namespace weir::cli {
namespace {

constexpr std::string_view unix_prefix = "unix:";

void allow_logs(sandbox::Allowed& allowed, const server::Options& options) {
    const auto log = server::LogDestination::of(options.access_log.path);
    if (log.is_file()) allowed.write.push_back(log.path);
    // The server opens terminals again, to write to them without blocking.
    for (const char* const stream : {"/proc/self/fd/1", "/proc/self/fd/2"}) {
        std::error_code error;
        if (std::filesystem::is_character_file(stream, error)) allowed.write.emplace_back(stream);
    }
}

/// The folders in which the server makes, replaces and removes files.
std::vector<std::string> written_folders(const Launch& launch) {
    auto folders = launch.writes;
    const server::AccessLogOptions& log = launch.options.server.access_log;
    std::error_code error;
    if (log.rotate_daily || log.rotate_bytes != 0)
        folders.push_back(std::filesystem::absolute(log.path, error).parent_path());
    return folders;
}

}  // namespace

std::string become_user(const Launch& launch) {
    const auto& user = launch.options.user;
    if (!user) return {};
    if (const auto became = sandbox::become(*user); !became) return became.error();
    if (auto why = sandbox::unreadable(launch.reads, *user); !why.empty()) return why;
    return sandbox::unwritable(written_folders(launch), *user);
}

std::optional<sandbox::Report> lock_in(const Launch& launch, const server::Server& server,
                                       const server::Options& options,
                                       const std::vector<std::string>& certificates) {
    if (launch.options.no_sandbox) return std::nullopt;
    const engines::Engine* const engine = engines::find(server.engine());
    sandbox::Allowed allowed{.read = launch.reads,
                             .uploads = written_folders(launch),
                             .folders = launch.changes,
                             .ports = launch.ports,
                             .unix_sockets = launch.connects_to_unix_sockets,
                             .processes = engine->forks.has_value(),
                             .rings = engine->has_rings};
    for (const auto& more : {certificates, launch.follows, launch.looks_into})
        allowed.read.insert(allowed.read.end(), more.begin(), more.end());
    allow_logs(allowed, options);
    for (const auto addresses : {server.addresses(), server.redirect_addresses()})
        for (const std::string_view address : addresses)
            if (address.starts_with(unix_prefix))
                allowed.remove.emplace_back(address.substr(unix_prefix.size()));
    return sandbox::enter(allowed);
}

}  // namespace weir::cli

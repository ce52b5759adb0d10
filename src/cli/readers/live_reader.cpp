#include "cli/readers/live_reader.h"

#include <algorithm>
#include <string>

#include "cli/serve/loopback.h"
#include "engines/engines.h"

namespace weir::cli {
namespace {

/// Why pages can't listen to such a server; empty if they can. Each one keeps a connection open.
std::string why_not(const server::Options& server) {
    const engines::Engine& engine = *engines::find(server.engine);
    const std::string name{engine.name};
    if (name == "blocking") return "the engine blocking serves one connection at a time";
    if (engine.forks == engines::Process::connection)
        return "the engine " + name +
               " has a process for each connection, which hears of no change";
    if (name == "thread-pool" && server.workers == 1)
        return "the engine thread-pool needs --workers 2 or more, since an open page keeps one";
    return {};
}

}  // namespace

void LiveReader::add() {
    reload_ = reader_.flag("--live-reload", options_.reload,
                           "Have browsers load a page again when a file has changed; for loopback "
                           "alone");
}

void LiveReader::finish(const LaunchOptions& launch) {
    if (!options_.reload) return;
    if (!are_loopback(launch.server.addresses))
        throw WrongUse{
            reload_->given_by +
            " is for development, and others can reach this server; leave out --bind, or "
            "use --bind 127.0.0.1"};
    if (const auto why = why_not(launch.server); !why.empty())
        throw WrongUse{reload_->given_by + ": " + why +
                       "; use it with another engine, such as auto"};
    // An open page keeps a thread there: as many are left for all else.
    if (launch.server.engine == "thread-pool")
        options_.pages_max = std::min<std::size_t>(
            options_.pages_max, (launch.server.workers == 0 ? 64 : launch.server.workers) / 2);
}

}  // namespace weir::cli

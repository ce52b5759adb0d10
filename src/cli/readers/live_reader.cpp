#include "cli/readers/live_reader.h"

#include <string>

#include "engines/engines.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

/// Returns the reason why pages can't listen to such a server; empty if they can. Each page keeps a
/// connection open.
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

/// Refuses proxies, too: a proxy on this machine may have clients elsewhere.
void LiveReader::check_reach(const LaunchOptions& launch, const ProxyOptions& proxies) const {
    const std::string beginning =
        reload_->given_by + " is for development, and others can reach this server; ";
    if (!server::are_loopback(launch.server.addresses))
        throw WrongUse{beginning + "leave out --bind, or use --bind 127.0.0.1"};
    if (!proxies.trusted.empty()) throw WrongUse{beginning + "leave out --trust"};
    if (!proxies.proxy_protocol.empty()) throw WrongUse{beginning + "leave out --proxy-protocol"};
}

void LiveReader::finish(const LaunchOptions& launch, const ProxyOptions& proxies) {
    if (!options_.reload) return;
    check_reach(launch, proxies);
    if (const auto why = why_not(launch.server); !why.empty())
        throw WrongUse{reload_->given_by + ": " + why +
                       "; use it with another engine, such as auto"};
    // Each open page keeps a thread of this engine, so half of the threads stay for other requests.
    const engines::Options engine{.workers = launch.server.workers};
    if (launch.server.engine == "thread-pool")
        options_.pages_max = engine.blocking_worker_count() / 2;
}

}  // namespace weir::cli

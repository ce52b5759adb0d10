#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/http/limits.h"
#include "weir/server/access_log_options.h"
#include "weir/server/request_lines.h"

namespace weir::server {

struct Options {
    /// Where to listen: "127.0.0.1:8000", "[::1]:8000", "::1", "localhost:80", "0.0.0.0", or
    /// "unix:/run/weir.sock". "8080" is that port of 127.0.0.1; ":8080" and "*:8080" are that port of
    /// every address of the machine, IPv4 and IPv6. Loopback by default: a port is open to others only
    /// when that is asked for.
    std::vector<std::string> addresses{"127.0.0.1"};
    /// For the addresses that name none; 0 takes any free one.
    std::uint16_t port = 8000;

    /// `weir engines` lists them; "auto" is the best that this machine offers.
    std::string engine = "auto";
    /// Threads, loops or processes, if the engine has several; 0: one for each core that this
    /// process may use. Affects speed only.
    unsigned workers = 0;
    /// Each worker runs on a core of its own: the first worker on the first core that this process
    /// may use, and so on; past the last core, from the first again. Affects speed only: it is
    /// steadier on a machine that does nothing else, and worse on a shared one.
    bool pin = false;
    /// How many connections or requests (whichever the engine queues) wait for a worker; beyond that
    /// the engine stops accepting or reading. Affects speed only: the queue should keep workers busy
    /// through a burst. What waits longer is better off in the kernel's backlog, where it takes no
    /// memory of the server.
    unsigned queue_max = 128;
    /// How long a loop looks for events before it sleeps, if recent events came that soon; zero: not
    /// at all. Affects speed only: it about halves the time of a round trip with few busy
    /// connections, and keeps the core busy meanwhile.
    std::chrono::microseconds busy_poll{0};
    /// Connections at once, over all workers; further ones wait in the kernel's backlog. 0: as many
    /// as the limit on descriptors allows, less a reserve.
    std::uint32_t connections_max = 0;
    /// How long connections may finish their requests after stop() before they are cut.
    std::chrono::milliseconds stop_timeout{10'000};

    /// Called in each worker process (engine `prefork`) before it serves: a fork brings no thread
    /// along but the one that forks, and this is where others are started anew.
    std::function<void()> worker_started{};

    http::Limits limits{};
    http::Timeouts timeouts{};
    AccessLogOptions access_log{};
    /// Beside the access log.
    RequestLines request_lines = RequestLines::none;
};

}  // namespace weir::server

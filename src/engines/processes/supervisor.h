#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "base/now.h"
#include "engines/host.h"
#include "engines/processes/restart_delay.h"
#include "net/child.h"
#include "net/event_fd.h"
#include "net/listener.h"
#include "net/stop_signal.h"

namespace weir::engines {

/// Keeps a worker process in each of so many places: replaces those that end, and on request all of
/// them; passes the stop on; reports who ended and how.
///
/// Listeners belong to the place, and the supervisor keeps them open: whoever waits in a queue when
/// its worker dies is served by the next one. A new worker serves before the one that it replaces
/// is told to finish, and meanwhile both accept from the same queue.
class Supervisor {
   public:
    /// What a worker does, in its process: rings `ready` once it serves, and returns when it has
    /// stopped; or the errno for which it could not start. `host` is the worker's own: its
    /// listeners, its stop signal.
    using Serve = std::function<int(Host& host, unsigned number, const net::EventFd& ready)>;

    Supervisor(Host& host, unsigned workers, Serve serve);

    /// Serves until the host's stop signal. An error where a worker could not start, unless all have
    /// served before: then it is tried again later.
    std::error_code run();

   private:
    struct Worker {
        net::StopSignal stop{};  // the worker's SIGTERM, and its supervisor, request it
        net::EventFd ready{};
        Instant started{};
        bool serves = false;
        bool retired = false;     // was told to finish
        Instant kill_at = never;  // where it does not
        std::unique_ptr<net::Child> child{};
    };
    struct Place {
        std::vector<net::Listener> own;  // of the first place: none, it has the host's
        std::span<net::Listener> listeners;
        std::vector<std::unique_ptr<Worker>> workers{};  // the newest is the last
        Instant start_at = never;                        // the next one, where one is due
        RestartDelay delay{};
        bool has_served = false;
    };

    std::error_code open_places();

    void wait();
    Instant next() const;
    void read_news();
    void start_due();
    void obey_stop();
    bool is_done() const;

    std::error_code start(Place& place);
    int run_worker(Place& place, Worker& worker);
    void note_serving(Place& place, Worker& worker);
    void note_retiring(Place& place, Worker& worker);
    void note_end(Place& place, std::unique_ptr<Worker> worker, bool was_newest);
    void note_failure(Place& place, const std::string& name, std::error_code error);
    void retire(Worker& worker);
    void kill(Worker& worker);

    void replace_all();
    void drain();
    void cut();

    unsigned number_of(const Place& place) const;
    std::string name_of(const Place& place) const;
    std::string name_of(const Place& place, const Worker& worker) const;
    void report(const std::string& sentence) const;

    Host& host_;
    Serve serve_;
    std::vector<Place> places_;
    std::error_code error_;
    Instant now_;
    net::StopSignal::State obeyed_ = net::StopSignal::State::running;
};

}  // namespace weir::engines

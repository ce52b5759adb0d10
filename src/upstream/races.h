#pragma once

#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "net/event_fd.h"
#include "upstream/race.h"
#include "weir/base/instant.h"

namespace weir::upstream {

/// Races that could not be decided at once, on a thread of its own: no engine waits for several
/// sockets of one connection. The thread lives as long as there are races. Thread-safe.
class Races {
   public:
    /// Called on the thread of the races, once. May throw std::bad_alloc.
    using Decided = std::function<void(Race&&, bool is_won)>;

    Races() = default;
    Races(const Races&) = delete;
    Races& operator=(const Races&) = delete;
    /// After stop().
    ~Races() = default;

    /// Throws std::bad_alloc, and std::system_error if the system has no thread or descriptor for
    /// it: then `race` is as it was.
    void add(Race&& race, Decided decided);
    /// Ends all races undecided, without a call of Decided, and lets no further one begin: add()
    /// drops it.
    void stop() noexcept;

   private:
    struct Entry {
        Race race;
        Decided decided;
    };

    void start();
    void run() noexcept;
    bool go_on() noexcept;
    void advance();
    void wait();

    std::mutex mutex_;
    std::list<Entry> new_;
    std::optional<net::EventFd> event_;
    std::thread thread_;
    bool is_running_ = false;
    bool stops_ = false;

    // For the thread.
    std::list<Entry> entries_;
    std::vector<pollfd> watched_;
};

}  // namespace weir::upstream

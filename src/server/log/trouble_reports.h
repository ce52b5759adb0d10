#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/troubles.h"
#include "net/event_fd.h"
#include "net/waiting/timer_fd.h"
#include "weir/base/now.h"
#include "weir/server/log.h"

namespace weir::server {

/// Tells an operator of troubles: at once when a kind of trouble comes, and then once a minute at
/// most for each kind, with the number since.
class TroubleReports {
   public:
    static constexpr std::chrono::minutes interval{1};

    TroubleReports(Troubles& troubles, Log& log) noexcept : troubles_{troubles}, log_{log} {}

    /// Tells what is due. Returns when to call it again; `never`: when a kind that nobody watches is
    /// noted.
    Instant tell(Instant now);

   private:
    void tell(Trouble kind, Instant now);

    Troubles& troubles_;
    Log& log_;
    std::array<Instant, Troubles::kinds> quiet_until_{};
};

/// "no descriptor was left, 214 times in the last minute: raise the limit with ulimit -n 65536 (as root), ...".
/// Empty for a kind of which each case is told by itself.
std::string trouble_sentence(Trouble kind, std::uint64_t times, bool in_the_last_minute);

/// Tells of the troubles of this process, and of those that it forks, for as long as it lives. If a
/// process has several servers, the first one tells. Sleeps while there is no trouble.
class TroubleTeller {
   public:
    /// Before forks. Throws std::system_error if the system has no descriptor left.
    explicit TroubleTeller(Log& log);
    ~TroubleTeller();
    TroubleTeller(const TroubleTeller&) = delete;
    TroubleTeller& operator=(const TroubleTeller&) = delete;

    /// For a process that forks, which has no thread for it: call tell() once fd() is readable.
    void tell_in_forks_too();
    int fd() const noexcept { return due_.fd(); }
    void tell() noexcept;

    /// Tells by a thread of its own. Throws std::system_error if the system cannot start one.
    void tell_by_a_thread();

   private:
    void run();

    net::TimerFd due_;
    net::EventFd stopping_;
    TroubleReports reports_;
    bool is_first_;
    std::thread thread_;
};

}  // namespace weir::server

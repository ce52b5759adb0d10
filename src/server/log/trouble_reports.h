#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/troubles.h"
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
/// process has several servers, the first one tells.
class TroubleTeller {
   public:
    /// Before forks. Throws std::system_error if the system has no descriptor left.
    explicit TroubleTeller(Log& log);
    ~TroubleTeller();
    TroubleTeller(const TroubleTeller&) = delete;
    TroubleTeller& operator=(const TroubleTeller&) = delete;

    /// For a process that forks: counts what its children note, too.
    void share_with_forks();

    bool is_first() const noexcept { return is_first_; }
    /// Call tell() once fd() is readable, which it is not while there is no trouble.
    int fd() const noexcept { return due_.fd(); }
    void tell() noexcept;

   private:
    net::TimerFd due_;
    TroubleReports reports_;
    bool is_first_;
};

}  // namespace weir::server

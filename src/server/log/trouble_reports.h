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

/// Reports troubles to the operator: at once when a kind of trouble first occurs, and then at most
/// once a minute for each kind, with the number of cases since the last report.
class TroubleReports {
   public:
    static constexpr std::chrono::minutes interval{1};

    TroubleReports(Troubles& troubles, Log& log) noexcept : troubles_{troubles}, log_{log} {}

    /// Writes the reports that are due. Returns the time for the next call; `never`: the next call
    /// is due when a kind that is not watched is noted.
    Instant tell(Instant now);

   private:
    void tell(Trouble kind, Instant now);

    Troubles& troubles_;
    Log& log_;
    std::array<Instant, Troubles::kinds> quiet_until_{};
};

/// Empty for a kind whose cases are reported one by one. `about`: the first case.
std::string trouble_sentence(Trouble kind, std::uint64_t times, bool in_the_last_minute,
                             std::string_view about = {});

/// Reports the troubles of this process, and of those that it forks, for as long as this object
/// lives. If a process has several servers, only the first object reports.
class OperatorWarnings {
   public:
    /// To create before forks. Throws std::system_error if the system has no descriptor left.
    explicit OperatorWarnings(Log& log);
    ~OperatorWarnings();
    OperatorWarnings(const OperatorWarnings&) = delete;
    OperatorWarnings& operator=(const OperatorWarnings&) = delete;

    /// For a process that forks: also counts the troubles that its children note.
    static void share_with_forks();

    bool is_first() const noexcept { return is_first_; }
    /// Call tell() when fd() is readable; it is not readable while there is no trouble.
    int fd() const noexcept { return due_.fd(); }
    void tell() noexcept;

   private:
    net::TimerFd due_;
    TroubleReports reports_;
    bool is_first_;
};

}  // namespace weir::server

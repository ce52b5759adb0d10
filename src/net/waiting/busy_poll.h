#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weir::net {

/// Decides whether a thread polls for events for a while before it sleeps. Waking up takes
/// microseconds, and polling takes the whole core. So polling pays only if the next event comes
/// soon, for example the next request of a busy connection.
///
/// After a sleep that was longer than `longest`, the thread doesn't poll before the next sleep. If
/// polling finds nothing although sleeps are short, another process may need this core to send the
/// bytes that the thread waits for. Each such failure doubles the number of short sleeps before the
/// next try.
class BusyPoll {
   public:
    /// `longest`: the maximum time to poll; zero: never poll.
    explicit BusyPoll(std::chrono::nanoseconds longest) noexcept : longest_{longest} {}

    bool is_on() const noexcept { return longest_.count() > 0; }
    bool pays() const noexcept { return short_sleeps_first_ == 0; }
    std::chrono::nanoseconds longest() const noexcept { return longest_; }

    void succeeded() noexcept { price_ = 1; }
    void was_in_vain() noexcept {
        short_sleeps_first_ = price_;
        price_ = std::min(2 * price_, price_max);
    }
    void slept(std::chrono::nanoseconds time) noexcept {
        if (time > longest_)
            short_sleeps_first_ = std::max(short_sleeps_first_, 1U);
        else if (short_sleeps_first_ > 0)
            --short_sleeps_first_;
    }

   private:
    static constexpr std::uint32_t price_max = 4096;

    std::chrono::nanoseconds longest_;
    std::uint32_t short_sleeps_first_ = 1;  // before the next try
    std::uint32_t price_ = 1;               // of a try that finds nothing, in short sleeps
};

}  // namespace weir::net

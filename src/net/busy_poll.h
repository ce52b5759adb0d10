#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace weir::net {

/// Whether a thread that waits for events looks for them again and again before it sleeps. To be
/// woken takes microseconds, and to look takes the whole core; so it pays where what is waited for
/// comes soon, as the next request of a busy connection does, and nowhere else.
///
/// After a sleep that took longer there is no looking before the next one: who waits long sleeps.
/// Where looking was in vain although sleeps are short, somebody else may need this core to send
/// what is looked for: each time it was, twice as many short sleeps come before it is tried again.
class BusyPoll {
   public:
    /// `longest`: to look for so long at the most; zero: never.
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
    std::uint32_t short_sleeps_first_ = 1;  // before it is tried
    std::uint32_t price_ = 1;               // in short sleeps, of trying in vain
};

}  // namespace weir::net

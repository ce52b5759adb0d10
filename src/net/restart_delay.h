#pragma once

#include <algorithm>
#include <chrono>

namespace weir::net {

/// The limits of RestartDelay: those of workers, unless others are given.
struct RestartLimits {
    std::chrono::milliseconds soon{1'000};  // a worker that lived shorter died early
    std::chrono::milliseconds first{100};   // the delay after the first early death
    std::chrono::milliseconds most{5'000};
};

/// The delay before a new worker replaces one that died. If the worker had served for a while,
/// there is no delay. If it died soon after its start, its successor would probably die, too, and
/// each start costs processor time: so each further early death doubles the delay.
class RestartDelay {
   public:
    RestartDelay() = default;
    explicit RestartDelay(const RestartLimits& limits) noexcept : limits_{limits} {}

    /// Notes the death of a worker that had lived for `lived`, and returns the delay.
    std::chrono::milliseconds after_death(std::chrono::microseconds lived) noexcept {
        early_deaths_ = lived < limits_.soon ? early_deaths_ + 1 : 0;
        if (early_deaths_ == 0) return std::chrono::milliseconds{0};
        constexpr unsigned doublings_max = 16;
        return std::min(limits_.first * (1U << std::min(early_deaths_ - 1, doublings_max)),
                        limits_.most);
    }
    /// The number of workers in a row that died soon after their start.
    unsigned early_deaths() const noexcept { return early_deaths_; }

   private:
    RestartLimits limits_{};
    unsigned early_deaths_ = 0;
};

}  // namespace weir::net

#pragma once

#include <algorithm>
#include <chrono>

namespace weir::net {

/// The delay before a new worker replaces one that died. If the worker had served for a while,
/// there is no delay. If it died soon after its start, its successor would probably die, too, and
/// each start costs processor time: so each further early death doubles the delay.
class RestartDelay {
   public:
    static constexpr std::chrono::milliseconds soon{1'000}, first{100}, most{5'000};

    /// Notes the death of a worker that had lived for `lived`, and returns the delay.
    std::chrono::milliseconds after_death(std::chrono::milliseconds lived) noexcept {
        early_deaths_ = lived < soon ? early_deaths_ + 1 : 0;
        if (early_deaths_ == 0) return std::chrono::milliseconds{0};
        constexpr unsigned doublings_max = 10;
        return std::min(first * (1U << std::min(early_deaths_ - 1, doublings_max)), most);
    }
    /// The number of workers in a row that died soon after their start.
    unsigned early_deaths() const noexcept { return early_deaths_; }

   private:
    unsigned early_deaths_ = 0;
};

}  // namespace weir::net

#pragma once

#include <algorithm>
#include <chrono>

namespace weir::net {

/// How long the slot of a worker that died stays empty. A worker that had served for a while is
/// replaced at once. One that dies soon after its start would probably die again, and each start
/// costs processor time: so each time the wait is twice as long.
class RestartDelay {
   public:
    static constexpr std::chrono::milliseconds soon{1'000}, first{100}, most{5'000};

    /// A worker died after it had lived for `lived`; returns the wait.
    std::chrono::milliseconds after_death(std::chrono::milliseconds lived) noexcept {
        early_deaths_ = lived < soon ? early_deaths_ + 1 : 0;
        if (early_deaths_ == 0) return std::chrono::milliseconds{0};
        constexpr unsigned doublings_max = 10;
        return std::min(first * (1U << std::min(early_deaths_ - 1, doublings_max)), most);
    }
    /// How many workers in a row died soon after their start.
    unsigned early_deaths() const noexcept { return early_deaths_; }

   private:
    unsigned early_deaths_ = 0;
};

}  // namespace weir::net

#pragma once

#include <algorithm>
#include <chrono>

namespace weir::engines {

/// How long the place of a worker that died stays empty. One that had served for a while is replaced
/// at once; one that dies soon after its start would die again, and eat the processor with it: each
/// time the wait is twice as long.
class RestartDelay {
   public:
    static constexpr std::chrono::milliseconds soon{1'000}, first{100}, most{5'000};

    /// A worker died that had lived so long; returns the wait.
    std::chrono::milliseconds after_death(std::chrono::milliseconds lived) noexcept {
        early_deaths_ = lived < soon ? early_deaths_ + 1 : 0;
        if (early_deaths_ == 0) return std::chrono::milliseconds{0};
        constexpr unsigned doublings_max = 10;
        return std::min(first * (1U << std::min(early_deaths_ - 1, doublings_max)), most);
    }
    /// How often in a row one died soon after its start.
    unsigned early_deaths() const noexcept { return early_deaths_; }

   private:
    unsigned early_deaths_ = 0;
};

}  // namespace weir::engines

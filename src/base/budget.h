#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace weir {

/// A limited amount of bytes or descriptors that many holders share. Thread-safe. A budget must
/// outlive its shares.
class Budget {
   public:
    constexpr explicit Budget(std::uint64_t limit) noexcept : limit_{limit} {}

    /// Takes `amount` if at least `left_over` remains afterwards. Otherwise returns false and takes
    /// nothing. If several threads ask for the last part of the budget, all of them may get false.
    bool take(std::uint64_t amount, std::uint64_t left_over = 0) noexcept {
        const auto used = used_.fetch_add(amount, std::memory_order_relaxed) + amount;
        if (used + left_over <= limit()) return true;
        give_back(amount);
        return false;
    }
    void give_back(std::uint64_t amount) noexcept {
        used_.fetch_sub(amount, std::memory_order_relaxed);
    }

    std::uint64_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
    std::uint64_t limit() const noexcept { return limit_.load(std::memory_order_relaxed); }
    /// Does not change used(), also if it is more than the new limit.
    void limit(std::uint64_t limit) noexcept { limit_.store(limit, std::memory_order_relaxed); }

   private:
    alignas(64) std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> limit_;
};

/// The part of a budget that one holder has taken. The destructor gives it back.
class Share {
   public:
    /// Null: a share of no budget.
    explicit Share(Budget* of = nullptr) noexcept : budget_{of} {}
    Share(Share&& other) noexcept
        : budget_{std::exchange(other.budget_, nullptr)}, held_{std::exchange(other.held_, 0)} {}
    Share& operator=(Share&& other) noexcept {
        Share moved{std::move(other)};
        std::swap(budget_, moved.budget_);
        std::swap(held_, moved.held_);
        return *this;
    }
    ~Share() { resize(0); }

    /// Takes the missing amount, or gives back the excess. False if the budget has not enough left:
    /// the share stays as it was. A share of no budget has no limit.
    bool resize(std::uint64_t amount) noexcept {
        if (!budget_) return true;
        if (amount > held_ && !budget_->take(amount - held_)) return false;
        if (amount < held_) budget_->give_back(held_ - amount);
        held_ = amount;
        return true;
    }
    std::uint64_t held() const noexcept { return held_; }

   private:
    Budget* budget_ = nullptr;
    std::uint64_t held_ = 0;
};

}  // namespace weir

#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace weir {

/// So much of something that many share: bytes, or descriptors. Thread-safe. It lives longer than
/// all shares of it.
class Budget {
   public:
    constexpr explicit Budget(std::uint64_t limit) noexcept : limit_{limit} {}

    /// False, and nothing is taken, where less than `amount` and `left_over` together is left. While
    /// several threads ask for the last of it, each may be told that it is gone.
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
    /// What is taken stays taken, also where it is more than the new limit.
    void limit(std::uint64_t limit) noexcept { limit_.store(limit, std::memory_order_relaxed); }

   private:
    alignas(64) std::atomic<std::uint64_t> used_{0};
    std::atomic<std::uint64_t> limit_;
};

/// What one holder has taken from a budget. It gives all of it back when it ends.
class Share {
   public:
    /// Null: of no budget.
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

    /// Takes what is missing, or gives back what is too much. False where the budget has not so much
    /// left: the share stays as it was. A share of no budget has as much as it wants.
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

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace weir {

/// A place for one piece of work, of which only a limited number may be under way at a time. The
/// destructor gives the place back. Thread-safe.
class Place {
   public:
    using Taken = std::atomic<std::size_t>;

    /// Nothing if all `max` are taken.
    static std::optional<Place> take(std::shared_ptr<Taken> taken, std::size_t max) {
        std::size_t now = taken->load(std::memory_order_relaxed);
        while (now < max)
            if (taken->compare_exchange_weak(now, now + 1, std::memory_order_relaxed))
                return Place{std::move(taken)};
        return std::nullopt;
    }
    Place(Place&&) noexcept = default;
    Place& operator=(Place&&) = delete;
    ~Place() {
        if (taken_) taken_->fetch_sub(1, std::memory_order_relaxed);
    }

   private:
    explicit Place(std::shared_ptr<Taken> taken) noexcept : taken_{std::move(taken)} {}

    std::shared_ptr<Taken> taken_;
};

}  // namespace weir

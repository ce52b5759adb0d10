#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace weir::compress {

/// Keeps a few objects for later use. Thread-safe, with a lock: its cost is small beside the time
/// that making such an object takes.
template <typename T>
class Shelf {
   public:
    /// Null: there is none.
    std::unique_ptr<T> take() noexcept {
        const std::scoped_lock lock{mutex_};
        for (auto& each : kept_)
            if (each) return std::move(each);
        return nullptr;
    }
    /// Destroys the object if there is no place for it.
    void put(std::unique_ptr<T> object) noexcept {
        const std::scoped_lock lock{mutex_};
        for (auto& each : kept_) {
            if (each) continue;
            each = std::move(object);
            return;
        }
    }

   private:
    // The number of threads that compress at a time on most machines.
    static constexpr std::size_t kept_max = 4;

    std::mutex mutex_;
    std::array<std::unique_ptr<T>, kept_max> kept_;
};

}  // namespace weir::compress

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "engines/contract/engine_figures.h"
#include "net/event_fd.h"

namespace weir::engines {

/// Passes work from one thread to many: a queue of limited length, a mutex, and two condition
/// variables, one for the threads that wait for work and one for the thread that waits for a free
/// place.
template <typename Item>
class BoundedQueue {
   public:
    /// `figures` show the length of the queue. `more_work` is readable while there is more work
    /// than there are idle threads. For a thread that waits elsewhere and should become free then.
    /// Both may be null.
    explicit BoundedQueue(std::size_t length_max, EngineFigures* figures = nullptr,
                          const net::EventFd* more_work = nullptr)
        : length_max_{length_max}, figures_{figures}, more_work_{more_work} {
        if (figures_) EngineFigures::set(figures_->queue_places, length_max_);
    }

    /// Waits while the queue is full.
    void push(Item&& item) {
        std::unique_lock lock{mutex_};
        not_full_.wait(lock, [this] { return count_ < length_max_; });
        put(std::move(item));
    }

    /// Returns false if the queue is full, or if it has items and there is no memory for another;
    /// `item` is untouched then. An empty queue needs no memory.
    bool try_push(Item& item) {
        const std::scoped_lock lock{mutex_};
        if (count_ >= length_max_) return false;
        try {
            put(std::move(item));
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }

    /// Waits while the queue is empty. Returns nothing once it is closed and its items are taken.
    std::optional<Item> pop() {
        std::unique_lock lock{mutex_};
        ++idle_;
        not_empty_.wait(lock, [this] { return count_ != 0 || closed_; });
        --idle_;
        if (count_ == 0) return std::nullopt;
        std::optional<Item> item{std::move(slots_[first_])};
        first_ = (first_ + 1) % slots_.size();
        --count_;
        if (is_watched_) tell(0);
        not_full_.notify_one();
        return item;
    }

    /// Call it after the last push.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        not_empty_.notify_all();
    }

   private:
    void put(Item&& item) {
        if (count_ == slots_.size()) grow();
        slots_[(first_ + count_) % slots_.size()] = std::move(item);
        ++count_;
        if (is_watched_) tell(1);
        not_empty_.notify_one();
    }

    void grow() {
        std::vector<Item> larger(2 * slots_.size());
        for (std::size_t i = 0; i < count_; ++i)
            larger[i] = std::move(slots_[(first_ + i) % slots_.size()]);
        slots_.swap(larger);
        first_ = 0;
    }

    /// The length has changed: so many items have entered.
    void tell(std::uint64_t entered) noexcept {
        if (figures_) {
            EngineFigures::set(figures_->queue_length, count_);
            EngineFigures::set(figures_->queue_entered, figures_->queue_entered + entered);
        }
        if (more_work_) tell_more_work();
    }

    void tell_more_work() noexcept {
        const bool wanted = count_ > idle_;
        if (std::exchange(told_, wanted) == wanted) return;
        if (wanted)
            more_work_->signal();
        else
            more_work_->clear();
    }

    const std::size_t length_max_;
    EngineFigures* const figures_;
    const net::EventFd* const more_work_;
    const bool is_watched_ = figures_ != nullptr || more_work_ != nullptr;
    std::mutex mutex_;
    std::condition_variable not_empty_;
    std::condition_variable not_full_;
    std::vector<Item> slots_ = std::vector<Item>(16);  // a ring
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t idle_ = 0;  // threads in pop()
    bool told_ = false;     // `more_work_` is signaled
    bool closed_ = false;
};

}  // namespace weir::engines

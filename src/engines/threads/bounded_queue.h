#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "net/event_fd.h"

namespace weir::engines {

/// Hands work from one thread to many: a queue of limited length, a mutex, and two condition
/// variables, one for the threads that wait for work and one for the thread that waits for room. The
/// memory for it is taken at first: none is missing later.
template <typename Item>
class BoundedQueue {
   public:
    /// `more_work` is readable while there is more work than there are idle threads to take it. For
    /// a thread that waits elsewhere and should become free then. May be null.
    explicit BoundedQueue(std::size_t length_max, const net::EventFd* more_work = nullptr)
        : items_(length_max), more_work_{more_work} {}

    /// Waits while the queue is full.
    void push(Item&& item) {
        std::unique_lock lock{mutex_};
        not_full_.wait(lock, [this] { return count_ < items_.size(); });
        put(std::move(item));
    }

    /// Returns false if the queue is full; `item` is untouched then.
    bool try_push(Item& item) {
        const std::scoped_lock lock{mutex_};
        if (count_ == items_.size()) return false;
        put(std::move(item));
        return true;
    }

    /// Waits while the queue is empty. Returns nothing once it is closed and its items are taken.
    std::optional<Item> pop() {
        std::unique_lock lock{mutex_};
        ++idle_;
        not_empty_.wait(lock, [this] { return count_ != 0 || closed_; });
        --idle_;
        if (count_ == 0) return std::nullopt;
        std::optional<Item> item = std::exchange(items_[first_], std::nullopt);
        first_ = (first_ + 1) % items_.size();
        --count_;
        tell_more_work();
        not_full_.notify_one();
        return item;
    }

    /// The last item has been pushed.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        not_empty_.notify_all();
    }

   private:
    void put(Item&& item) {
        items_[(first_ + count_) % items_.size()] = std::move(item);
        ++count_;
        tell_more_work();
        not_empty_.notify_one();
    }

    void tell_more_work() noexcept {
        const bool wanted = more_work_ && count_ > idle_;
        if (std::exchange(told_, wanted) == wanted) return;
        if (wanted)
            more_work_->signal();
        else
            more_work_->clear();
    }

    std::vector<std::optional<Item>> items_;  // a ring of places
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    const net::EventFd* const more_work_;
    std::mutex mutex_;
    std::condition_variable not_empty_;
    std::condition_variable not_full_;
    std::size_t idle_ = 0;  // threads in pop()
    bool told_ = false;     // that there is more work
    bool closed_ = false;
};

}  // namespace weir::engines

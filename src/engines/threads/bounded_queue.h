#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "net/event_fd.h"

namespace weir::engines {

/// Hands work from one thread to many: a queue of limited length, a mutex, and two condition
/// variables, one for the threads that wait for work and one for the thread that waits for room.
template <typename Item>
class BoundedQueue {
   public:
    /// `more_work` is readable while there is more work than there are idle threads to take it. For
    /// a thread that waits elsewhere and should become free then. May be null.
    explicit BoundedQueue(std::size_t length_max, const net::EventFd* more_work = nullptr)
        : length_max_{length_max}, more_work_{more_work} {}

    /// Waits while the queue is full.
    void push(Item&& item) {
        std::unique_lock lock{mutex_};
        not_full_.wait(lock, [this] { return items_.size() < length_max_; });
        put(std::move(item));
    }

    /// Returns false if the queue is full; `item` is untouched then.
    bool try_push(Item& item) {
        const std::scoped_lock lock{mutex_};
        if (items_.size() >= length_max_) return false;
        put(std::move(item));
        return true;
    }

    /// Waits while the queue is empty. Returns nothing once it is closed and its items are taken.
    std::optional<Item> pop() {
        std::unique_lock lock{mutex_};
        ++idle_;
        not_empty_.wait(lock, [this] { return !items_.empty() || closed_; });
        --idle_;
        if (items_.empty()) return std::nullopt;
        std::optional<Item> item{std::move(items_.front())};
        items_.pop_front();
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
        items_.push_back(std::move(item));
        tell_more_work();
        not_empty_.notify_one();
    }

    void tell_more_work() noexcept {
        const bool wanted = more_work_ && items_.size() > idle_;
        if (std::exchange(told_, wanted) == wanted) return;
        if (wanted)
            more_work_->signal();
        else
            more_work_->clear();
    }

    const std::size_t length_max_;
    const net::EventFd* const more_work_;
    std::mutex mutex_;
    std::condition_variable not_empty_;
    std::condition_variable not_full_;
    std::deque<Item> items_;
    std::size_t idle_ = 0;  // threads in pop()
    bool told_ = false;     // that there is more work
    bool closed_ = false;
};

}  // namespace weir::engines

#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "net/unique_fd.h"

namespace weir::engines {

/// Hands work from one thread to many: a queue of limited length, a mutex, and two condition
/// variables, one for those who wait for work and one for the producer who waits for room.
template <typename Item>
class BoundedQueue {
   public:
    explicit BoundedQueue(std::size_t length_max) : length_max_{length_max} {}

    /// Before all else, where more_work_fd() is wanted.
    std::error_code open_event() {
        event_ = net::UniqueFd{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
        return event_ ? std::error_code{} : std::error_code{errno, std::generic_category()};
    }

    /// Waits while the queue is full.
    void push(Item&& item) {
        std::unique_lock lock{mutex_};
        not_full_.wait(lock, [this] { return items_.size() < length_max_; });
        put(std::move(item));
    }

    /// False where the queue is full; `item` is untouched then.
    bool try_push(Item& item) {
        const std::scoped_lock lock{mutex_};
        if (items_.size() >= length_max_) return false;
        put(std::move(item));
        return true;
    }

    /// Waits while the queue is empty. Nothing once it is closed, and what was in it is taken.
    std::optional<Item> pop() {
        std::unique_lock lock{mutex_};
        ++idle_;
        not_empty_.wait(lock, [this] { return !items_.empty() || closed_; });
        --idle_;
        if (items_.empty()) return std::nullopt;
        std::optional<Item> item{std::move(items_.front())};
        items_.pop_front();
        ring();
        not_full_.notify_one();
        return item;
    }

    /// Nothing is pushed any more.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        not_empty_.notify_all();
    }

    /// Readable while there is more work than there are idle threads to take it. For a thread that
    /// waits elsewhere and would rather be free then.
    int more_work_fd() const noexcept { return event_.get(); }

   private:
    void put(Item&& item) {
        items_.push_back(std::move(item));
        ring();
        not_empty_.notify_one();
    }

    void ring() noexcept {
        const bool wanted = event_ && items_.size() > idle_;
        if (std::exchange(ringing_, wanted) == wanted) return;
        std::uint64_t count = 1;
        [[maybe_unused]] const auto size = wanted ? ::write(event_.get(), &count, sizeof count)
                                                  : ::read(event_.get(), &count, sizeof count);
    }

    const std::size_t length_max_;
    net::UniqueFd event_;
    std::mutex mutex_;
    std::condition_variable not_empty_;
    std::condition_variable not_full_;
    std::deque<Item> items_;
    std::size_t idle_ = 0;  // threads in pop()
    bool ringing_ = false;
    bool closed_ = false;
};

}  // namespace weir::engines

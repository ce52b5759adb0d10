#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "net/event_fd.h"

namespace weir::engines {

/// Items that threads pass to a loop: finished jobs, completions, new connections. A descriptor
/// wakes the loop, once for all items since its last collect(). The loop's own thread may leave
/// items without waking itself. Two buffers take turns: the threads
/// fill one while the loop reads the other. So mostly neither needs memory.
template <typename Item>
class Inbox {
   public:
    /// The items that collect() found. The destructor gives the buffer back to the inbox.
    class Collected : public std::vector<Item> {
       public:
        Collected(std::vector<Item>&& items, Inbox& inbox) noexcept
            : std::vector<Item>{std::move(items)}, inbox_{&inbox} {}
        Collected(Collected&& other) noexcept
            : std::vector<Item>{static_cast<std::vector<Item>&&>(other)},
              inbox_{std::exchange(other.inbox_, nullptr)} {}
        Collected& operator=(Collected&&) = delete;
        ~Collected() {
            if (inbox_) inbox_->keep(std::move(*this));
        }

       private:
        Inbox* inbox_;
    };

    Inbox() {
        items_.reserve(room);
        spare_.reserve(room);
    }

    /// Any thread. False once the inbox is closed. Throws std::bad_alloc if there is no memory; the
    /// first `room` items need none. `item` is untouched in both cases. `wakes`: false only for the
    /// loop's own thread, which collects before it sleeps.
    bool put(Item&& item, bool wakes = true) {
        const std::scoped_lock lock{mutex_};
        if (closed_) return false;
        items_.push_back(std::move(item));
        if (wakes) signal();
        return true;
    }
    /// For items that must not get lost: waits for memory until the loop has collected. So the
    /// loop's own thread must not call it.
    void put_surely(Item&& item) {
        std::unique_lock lock{mutex_};
        while (!closed_ && !try_add(item)) {
            signal();
            ++waiting_;
            collected_.wait(lock);
            --waiting_;
        }
    }
    /// Any thread; wakes the loop. No item is added after this.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        signal();
        collected_.notify_all();
    }

    /// For the loop alone. Readable while there is something to collect, or after close().
    int fd() const noexcept { return event_.fd(); }
    Collected collect() {
        Collected collected{std::move(spare_), *this};
        const std::scoped_lock lock{mutex_};
        if (std::exchange(is_signaled_, false)) event_.clear();
        if (waiting_ != 0) collected_.notify_all();
        collected.swap(items_);
        return collected;
    }
    /// True once the inbox is closed and empty.
    bool is_closed() const {
        const std::scoped_lock lock{mutex_};
        return closed_ && items_.empty();
    }

   private:
    static constexpr std::size_t room = 32;  // mostly enough between two calls of collect()

    /// Destroys the items without the lock: they may own anything.
    void keep(std::vector<Item>&& buffer) noexcept {
        buffer.clear();
        if (buffer.capacity() > room) make_smaller(buffer);
        spare_ = std::move(buffer);
    }

    /// Frees the memory of a burst. If there is none for a smaller buffer, the large one stays.
    static void make_smaller(std::vector<Item>& buffer) noexcept try {
        std::vector<Item> smaller;
        smaller.reserve(room);
        buffer.swap(smaller);
    } catch (const std::bad_alloc&) {
        return;
    }

    void signal() {
        if (!std::exchange(is_signaled_, true)) event_.signal();
    }
    bool try_add(Item& item) {
        try {
            items_.push_back(std::move(item));
            signal();
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    net::EventFd event_;
    mutable std::mutex mutex_;
    std::condition_variable collected_;
    std::size_t waiting_ = 0;  // threads in put_surely()
    std::vector<Item> items_;
    std::vector<Item> spare_;  // for the loop alone; empty
    bool closed_ = false;
    bool is_signaled_ = false;  // the loop was woken, and has not collected since
};

}  // namespace weir::engines

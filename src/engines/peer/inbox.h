#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "net/event_fd.h"

namespace weir::engines {

/// Threads put items here for a loop: finished jobs, completions, new connections. The loop is woken
/// through a descriptor, once for all items since it last looked.
template <typename Item>
class Inbox {
   public:
    Inbox() { items_.reserve(room); }

    /// Any thread. False once the inbox is closed. Throws std::bad_alloc where there is no memory for
    /// it; there is for the first ones. `item` is untouched in both cases.
    bool put(Item&& item) {
        const std::scoped_lock lock{mutex_};
        if (closed_) return false;
        add(item);
        return true;
    }
    /// For what must not get lost: waits for memory, until the loop has collected. So it is not for
    /// the loop's own thread.
    void put_surely(Item&& item) {
        std::unique_lock lock{mutex_};
        while (!closed_ && !try_add(item)) {
            event_.signal();
            ++waiting_;
            collected_.wait(lock);
            --waiting_;
        }
    }
    /// Any thread; wakes the loop. Nothing comes after the items that are in it.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        event_.signal();
        collected_.notify_all();
    }

    /// For the loop alone. Readable while there is something to collect, or after close().
    int fd() const noexcept { return event_.fd(); }
    std::vector<Item> collect() {
        std::vector<Item> collected = with_room();
        const std::scoped_lock lock{mutex_};
        if (!items_.empty() || closed_ || waiting_ != 0) event_.clear();  // else it is not signaled
        if (waiting_ != 0) collected_.notify_all();
        collected.swap(items_);
        return collected;
    }
    /// It is empty, and nothing will come.
    bool is_closed() const {
        const std::scoped_lock lock{mutex_};
        return closed_ && items_.empty();
    }

   private:
    static constexpr std::size_t room = 32;  // what is put before the loop looks, mostly

    static std::vector<Item> with_room() noexcept {
        std::vector<Item> items;
        try {
            items.reserve(room);
        } catch (const std::bad_alloc&) {
            items.clear();  // put() will ask for it again
        }
        return items;
    }

    /// Takes `item`, unless it throws.
    void add(Item& item) {
        items_.push_back(std::move(item));
        if (items_.size() == 1) event_.signal();  // else the loop has been told already
    }
    bool try_add(Item& item) {
        try {
            add(item);
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
    bool closed_ = false;
};

}  // namespace weir::engines

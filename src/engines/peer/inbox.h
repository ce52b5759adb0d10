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
/// through a descriptor, once for all items since it last looked. Two buffers take turns: the threads
/// fill one while the loop looks at the other, so that neither needs memory, mostly.
template <typename Item>
class Inbox {
   public:
    /// What was in it. The destructor gives the buffer back.
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
    Collected collect() {
        Collected collected{std::move(spare_), *this};
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

    /// The items are destroyed without the lock: they may own anything.
    void keep(std::vector<Item>&& buffer) noexcept {
        buffer.clear();
        if (buffer.capacity() > room) make_smaller(buffer);
        spare_ = std::move(buffer);
    }

    /// The memory of a burst goes. Without any for a smaller buffer, the large one stays.
    static void make_smaller(std::vector<Item>& buffer) noexcept try {
        std::vector<Item> smaller;
        smaller.reserve(room);
        buffer.swap(smaller);
    } catch (const std::bad_alloc&) {
        return;
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
    std::vector<Item> spare_;  // for the loop alone; empty
    bool closed_ = false;
};

}  // namespace weir::engines

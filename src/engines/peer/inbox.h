#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "net/event_fd.h"

namespace weir::engines {

/// Threads put items here for a loop: finished jobs, completions, new connections. The loop is woken
/// through a descriptor, once for all items since it last looked.
template <typename Item>
class Inbox {
   public:
    /// Any thread. False once the inbox is closed; `item` is untouched then.
    bool put(Item&& item) {
        const std::scoped_lock lock{mutex_};
        if (closed_) return false;
        items_.push_back(std::move(item));
        if (items_.size() == 1) event_.signal();  // else the loop has been told already
        return true;
    }
    /// Any thread; wakes the loop. Nothing comes after the items that are in it.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        event_.signal();
    }

    /// For the loop alone. Readable while there is something to collect, or after close().
    int fd() const noexcept { return event_.fd(); }
    std::vector<Item> collect() {
        const std::scoped_lock lock{mutex_};
        event_.clear();
        return std::exchange(items_, {});
    }
    /// It is empty, and nothing will come.
    bool is_closed() const {
        const std::scoped_lock lock{mutex_};
        return closed_ && items_.empty();
    }

   private:
    net::EventFd event_;
    mutable std::mutex mutex_;
    std::vector<Item> items_;
    bool closed_ = false;
};

}  // namespace weir::engines

#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "net/event_fd.h"

namespace weir::engines {

/// Where threads leave things for a loop: what they have done for it, completions, new connections. Wakes
/// that loop through a descriptor, once for all that came since it last looked.
template <typename Item>
class Inbox {
   public:
    /// Any thread. False where the loop takes none any more; `item` is untouched then.
    bool put(Item&& item) {
        const std::scoped_lock lock{mutex_};
        if (closed_) return false;
        items_.push_back(std::move(item));
        if (items_.size() == 1) event_.signal();  // of more, the loop has been told already
        return true;
    }
    /// Nothing comes after what is in it. Any thread; wakes the loop.
    void close() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        event_.signal();
    }

    /// For the loop alone. Readable while there is something to collect, or news of the end.
    int fd() const noexcept { return event_.fd(); }
    std::vector<Item> collect() {
        const std::scoped_lock lock{mutex_};
        event_.clear();
        return std::exchange(items_, {});
    }
    /// Nothing is in it, and nothing comes.
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

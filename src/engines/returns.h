#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "net/bell.h"

namespace weir::engines {

/// Where threads leave for a loop what they have done for it. Wakes that loop through a descriptor,
/// once for all that came since it last looked.
template <typename Item>
class Returns {
   public:
    /// Any thread.
    void put(Item&& item) {
        const std::scoped_lock lock{mutex_};
        items_.push_back(std::move(item));
        if (items_.size() == 1) bell_.ring();  // of more, the loop has been told already
    }

    /// For the loop alone. Readable while there is something to collect.
    int fd() const noexcept { return bell_.fd(); }
    std::vector<Item> collect() {
        const std::scoped_lock lock{mutex_};
        bell_.answer();
        return std::exchange(items_, {});
    }

   private:
    net::Bell bell_;
    std::mutex mutex_;
    std::vector<Item> items_;
};

}  // namespace weir::engines

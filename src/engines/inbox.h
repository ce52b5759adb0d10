#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "net/accept.h"
#include "net/bell.h"

namespace weir::engines {

/// Where a thread that accepts for several loops leaves the connections of one. Wakes that loop
/// through a descriptor, once for all that came since it last looked.
class Inbox {
   public:
    /// False where the loop takes none any more; `accepted` is untouched then.
    bool put(net::Accepted& accepted) {
        const std::scoped_lock lock{mutex_};
        if (closed_) return false;
        accepted_.push_back(std::move(accepted));
        if (accepted_.size() == 1) bell_.ring();
        return true;
    }
    /// Nobody comes after those that are in it.
    void finish() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        bell_.ring();
    }

    /// For the loop alone. Readable while somebody is in it, or news of the end.
    int fd() const noexcept { return bell_.fd(); }
    std::vector<net::Accepted> collect() {
        const std::scoped_lock lock{mutex_};
        bell_.answer();
        return std::exchange(accepted_, {});
    }
    bool is_closed() const {
        const std::scoped_lock lock{mutex_};
        return closed_ && accepted_.empty();
    }

   private:
    net::Bell bell_;
    mutable std::mutex mutex_;
    std::vector<net::Accepted> accepted_;
    bool closed_ = false;
};

}  // namespace weir::engines

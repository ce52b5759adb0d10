#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "net/accept.h"
#include "net/unique_fd.h"

namespace weir::engines {

/// Where a thread that accepts for several loops leaves the connections of one. Wakes that loop
/// through a descriptor, once for all that came since it last looked.
class Inbox {
   public:
    /// Throws std::system_error where the system has no descriptor left.
    Inbox() : eventfd_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        if (!eventfd_) throw std::system_error{errno, std::generic_category(), "eventfd"};
    }

    /// False where the loop takes none any more; `accepted` is untouched then.
    bool put(net::Accepted& accepted) {
        const std::scoped_lock lock{mutex_};
        if (closed_) return false;
        accepted_.push_back(std::move(accepted));
        if (accepted_.size() == 1) wake();
        return true;
    }
    /// Nobody comes after those that are in it.
    void finish() {
        const std::scoped_lock lock{mutex_};
        closed_ = true;
        wake();
    }

    /// For the loop alone. Readable while somebody is in it, or news of the end.
    int fd() const noexcept { return eventfd_.get(); }
    std::vector<net::Accepted> collect() {
        const std::scoped_lock lock{mutex_};
        std::uint64_t count;
        [[maybe_unused]] const auto size = ::read(eventfd_.get(), &count, sizeof count);
        return std::exchange(accepted_, {});
    }
    bool is_closed() const {
        const std::scoped_lock lock{mutex_};
        return closed_ && accepted_.empty();
    }

   private:
    void wake() const noexcept {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(eventfd_.get(), &one, sizeof one);
    }

    net::UniqueFd eventfd_;
    mutable std::mutex mutex_;
    std::vector<net::Accepted> accepted_;
    bool closed_ = false;
};

}  // namespace weir::engines

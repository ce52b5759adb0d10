#pragma once

#include <atomic>

#include "live/version.h"
#include "net/event_fd.h"
#include "net/mapping.h"

namespace weir::live {

/// What all processes know: the version of the files, and whether the streams are to end. One version
/// for all: a page of one process may ask another one for changes.
class News {
   public:
    /// Throws std::system_error if the system has no descriptor or memory left.
    News();

    Version version() const noexcept { return shared_->version; }
    /// False if it is not `before` any more: another process has read the files meanwhile, and later
    /// than the caller, maybe. Then the caller reads them again.
    bool replace(Version before, const Version& now) noexcept {
        return shared_->version.compare_exchange_strong(before, now);
    }

    bool has_ended() const noexcept { return shared_->has_ended; }
    /// Async-signal-safe.
    void end() noexcept {
        shared_->has_ended = true;
        ended_.signal();
    }
    int ended_fd() const noexcept { return ended_.fd(); }  // readable from end() on, for all

   private:
    struct Shared {
        std::atomic<Version> version = Version{};
        std::atomic<bool> has_ended = false;
        static_assert(decltype(version)::is_always_lock_free);
        static_assert(decltype(has_ended)::is_always_lock_free);
    };

    net::Mapping memory_;
    Shared* shared_;  // in `memory_`
    net::EventFd ended_;
};

}  // namespace weir::live

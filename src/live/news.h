#pragma once

#include <atomic>

#include "live/version.h"
#include "net/event_fd.h"
#include "net/mapping.h"

namespace weir::live {

/// The state that all processes share: the version of the files, and whether the streams have to
/// end. There is one version for all, because a page of one process may ask another one for
/// changes.
class News {
   public:
    /// Throws std::system_error if the system has no descriptor or memory left.
    News();

    Version version() const noexcept { return shared_->version; }
    /// False if the version is not `before`: another process has read the files meanwhile, maybe
    /// later than the caller. Then the caller reads them again.
    bool replace(Version before, const Version& now) noexcept {
        return shared_->version.compare_exchange_strong(before, now);
    }

    bool has_ended() const noexcept { return shared_->has_ended; }
    /// Async-signal-safe.
    void end() noexcept {
        shared_->has_ended = true;
        ended_.signal();
    }
    int ended_fd() const noexcept { return ended_.fd(); }  // readable after end(), in all processes

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

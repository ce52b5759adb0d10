#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "weir/web/awaited.h"

namespace weir::web {

namespace detail {

/// A descriptor that a thread of the process watches for a coroutine.
class Watched {
   public:
    Watched(int fd, std::uint32_t events) noexcept : fd_{fd}, events_{events} {}

   protected:
    /// False if the descriptor is ready already. Throws std::system_error.
    bool watch(const http::Waker& waker);
    /// Returns when no thread uses this object any more.
    void forget() noexcept;
    bool is_over() const noexcept { return is_ready_; }

   private:
    friend class Watcher;

    int fd_;  // the duplicate while it is watched, before that the one of the program
    std::uint32_t events_;
    bool is_watched_ = false;
    std::atomic<bool> is_ready_ = false;
    std::optional<http::Waker> waker_{};
};

class [[nodiscard("this does nothing without co_await")]] DescriptorWait final : public Awaited,
                                                                                 Watched {
   public:
    DescriptorWait(int fd, std::uint32_t events) noexcept : Watched{fd, events} {}
    ~DescriptorWait() { forget(); }

    bool begin(Runner& of) { return watch(of.waker()); }
    void await_resume() noexcept { forget(); }
    bool is_ready(Instant) noexcept override { return is_over(); }
    bool end() noexcept override {
        forget();
        return true;
    }
};

}  // namespace detail

/// `co_await readable(fd)`: returns when a read from the descriptor would not block, which is so at
/// the end of the data and after an error, too; see poll(2). For the socket of a database, a pipe, a
/// timerfd and the like: make it non-blocking. A thread of the process watches all such descriptors,
/// under every engine. The wait uses a duplicate of `fd`, so the program may close its own meanwhile.
/// Several coroutines may wait for one descriptor. A regular file is always ready. Throws
/// std::system_error, for example EBADF, or EMFILE if there is none left.
detail::DescriptorWait readable(int fd) noexcept;
/// The same for writes.
detail::DescriptorWait writable(int fd) noexcept;

}  // namespace weir::web

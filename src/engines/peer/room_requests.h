#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <vector>

#include "net/unique_fd.h"
#include "weir/http/origin.h"

namespace weir::engines {

/// How far the search for a connection goes that can be given up (http::Standing). A connection that
/// rests has been idle for `grace`; one that is given up as unfinished is at least that old.
enum class Reach : std::uint8_t { resting, idle, resting_or_unfinished };

/// Whoever is short of room, in a process, asks here for connections to be given up: an acceptor
/// whose queue waits, or a loop or thread whose files have used their reserve of descriptors. Each
/// loop looks here in each turn. Threads and processes that wait for one connection watch
/// descriptor(). Thread-safe.
class RoomRequests {
   public:
    /// For loops: they are woken by ask(). `loop` names one to the others.
    void join(std::weak_ptr<http::Postbox> loop);
    /// For threads and processes with one connection each, instead: before there are any.
    std::error_code open() noexcept;

    /// Wakes all but `asking`, which has looked at its own connections already. May be null. Comes to
    /// nothing in a process that was forked since open(): it has descriptors of its own.
    void ask(std::size_t count, Reach reach, const http::Postbox* asking = nullptr) noexcept;

    /// Nobody who asked waits any more: what was asked of threads and processes with one connection
    /// each, and not given yet, is asked no longer. Else a connection that is idle later would be
    /// given up for nobody.
    void withdraw() const noexcept;

    /// Another value than before says that something was asked. One relaxed load.
    std::uint32_t number() const noexcept { return number_.load(std::memory_order_relaxed); }
    struct Request {
        std::size_t count = 0;
        Reach reach = Reach::resting;
    };
    /// What was asked is the caller's to give, as far as it can.
    Request claim() noexcept;
    void put_back(std::size_t count) noexcept;

    /// Readable while a connection is to be given up that is idle, or unfinished. -1: never.
    int descriptor(bool idle) const noexcept { return one_each_[idle ? 0 : 1].get(); }
    /// The caller is to give up its connection; false where another was faster.
    bool claim_one(bool idle) const noexcept;

   private:
    void withdraw(bool idle) const noexcept;

    std::mutex mutex_;
    std::vector<std::weak_ptr<http::Postbox>> loops_;
    Request request_;
    std::atomic<std::uint32_t> number_{0};
    std::array<net::UniqueFd, 2> one_each_;  // eventfd(2) with EFD_SEMAPHORE
    pid_t process_ = 0;                      // that opened them
};

}  // namespace weir::engines

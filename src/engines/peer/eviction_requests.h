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

/// The connections that may be evicted (http::CloseImpact): those that have been idle for longer
/// than Evictor::grace; all that are idle; those that have been idle or unfinished for longer than
/// the grace.
enum class EvictionScope : std::uint8_t { idle_past_grace, idle, past_grace };

/// Requests for evictions, by a part of the process that lacks places or descriptors: an acceptor
/// whose queue waits, or a loop or thread whose files have used their reserve of descriptors. Each
/// loop checks for requests in each turn. Threads and processes with one connection each watch
/// descriptor(). Thread-safe.
class EvictionRequests {
   public:
    /// For loops, which ask() wakes. `loop` is also the name of the loop in ask().
    void join(std::weak_ptr<http::Postbox> loop);
    /// For threads and processes with one connection each, in place of join(). Call it before they
    /// start.
    std::error_code open() noexcept;

    /// Wakes all loops but `asking`, which has already checked its own connections; may be null.
    /// Does nothing in a process that was forked after open(), because its descriptors are its own.
    void ask(std::size_t count, EvictionScope scope,
             const http::Postbox* asking = nullptr) noexcept;

    /// Call it when no part that asked still waits. Takes back the requests to threads and
    /// processes with one connection each: otherwise a connection that is idle later would be
    /// evicted for nothing.
    void withdraw() const noexcept;

    /// Changes with each ask(). One relaxed load.
    std::uint32_t number() const noexcept { return number_.load(std::memory_order_relaxed); }
    struct Request {
        std::size_t count = 0;
        EvictionScope scope = EvictionScope::idle_past_grace;
    };
    /// The caller evicts that many, as far as it can, and puts the rest back.
    Request claim() noexcept;
    void put_back(std::size_t count) noexcept;

    /// Readable while an idle connection is to be evicted, or, with false, an unfinished one. -1:
    /// never.
    int descriptor(bool idle) const noexcept { return one_each_[idle ? 0 : 1].get(); }
    /// True: the caller must evict its connection. False: another thread or process was faster.
    bool claim_one(bool idle) const noexcept;

   private:
    void withdraw(bool idle) const noexcept;

    std::mutex mutex_;
    std::vector<std::weak_ptr<http::Postbox>> loops_;
    Request request_;
    std::atomic<std::uint32_t> number_{0};
    std::array<net::UniqueFd, 2> one_each_;  // eventfd(2) with EFD_SEMAPHORE
    pid_t process_ = 0;                      // the process that called open()
};

}  // namespace weir::engines

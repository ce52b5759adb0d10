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

/// Which connections may be evicted (http::CloseImpact): those that have been idle for a grace, all that
/// are idle, or those that have been idle or unfinished for a grace.
enum class EvictionScope : std::uint8_t { idle_past_grace, idle, past_grace };

/// A part of a process that is short of room asks here for evictions: an acceptor whose queue waits, or a
/// loop or thread whose files have used their reserve of descriptors. Each loop looks here in each turn.
/// Threads and processes that wait for one connection watch descriptor(). Thread-safe.
class EvictionRequests {
   public:
    /// For loops: they are woken by ask(). `loop` names one to the others.
    void join(std::weak_ptr<http::Postbox> loop);
    /// For threads and processes with one connection each, instead: before there are any.
    std::error_code open() noexcept;

    /// Wakes all but `asking`, which has looked at its own connections already. May be null. Comes to
    /// nothing in a process that was forked since open(): it has descriptors of its own.
    void ask(std::size_t count, EvictionScope scope,
             const http::Postbox* asking = nullptr) noexcept;

    /// Nothing that asked waits any more. Threads and processes with one connection each are asked no
    /// longer: else a connection that is idle later would be evicted for nothing.
    void withdraw() const noexcept;

    /// Another value than before says that something was asked. One relaxed load.
    std::uint32_t number() const noexcept { return number_.load(std::memory_order_relaxed); }
    struct Request {
        std::size_t count = 0;
        EvictionScope scope = EvictionScope::idle_past_grace;
    };
    /// The caller evicts that many, as far as it can.
    Request claim() noexcept;
    void put_back(std::size_t count) noexcept;

    /// Readable while a connection is to be evicted that is idle, or unfinished. -1: never.
    int descriptor(bool idle) const noexcept { return one_each_[idle ? 0 : 1].get(); }
    /// The caller is to evict its connection; false where another was faster.
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

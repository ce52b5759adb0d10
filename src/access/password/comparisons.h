#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "access/memory/clock.h"
#include "access/memory/leases.h"
#include "access/memory/siphash.h"
#include "weir/http/handler.h"
#include "weir/web/await.h"

namespace weir::access {

/// A running comparison of a password with a hash.
class Comparison {
   public:
    enum class Verdict : std::uint8_t { none_yet, right, wrong };
    Verdict verdict() const noexcept { return verdict_.load(std::memory_order_acquire); }

   private:
    friend class Comparisons;
    std::atomic<Verdict> verdict_{Verdict::none_yet};
    std::vector<http::Waker> waiting_;  // guarded by the mutex of Comparisons
    Leases::Lease lease_{};
};

/// Compares passwords with hashes on its own threads, because a comparison takes long on purpose.
/// The threads start with the first comparison, so each process of an engine that forks has its
/// own. All processes together have a limit of running comparisons (Leases), since one takes up to
/// 16 MB.
class Comparisons {
   public:
    using Crypt = std::function<std::string(const std::string& password, const std::string& hash)>;
    static constexpr unsigned threads = 2;
    static constexpr std::size_t waiting_max = 1024;  // requests for one comparison

    /// See PasswordOptions::crypt.
    Comparisons(Crypt crypt, Clock clock) : crypt_{std::move(crypt)}, clock_{clock} {}
    Comparisons(const Comparisons&) = delete;
    Comparisons& operator=(const Comparisons&) = delete;

    struct Work {
        SipDigest digest{};  // of the credentials: equal ones share one comparison
        std::string password{};
        std::string hash{};
        bool may_be_right = true;  // false: there is no such user, and only the time counts
    };
    /// The running comparison for these credentials. Null if there is none, or if too many requests
    /// wait for it.
    std::shared_ptr<const Comparison> join(const SipDigest& digest, const http::Request& request);
    /// Begins a comparison; `request` is woken when it is done. Null if too many are running, or if
    /// no thread can be started.
    std::shared_ptr<const Comparison> begin(Work work, const http::Request& request);

   private:
    class Job;
    void finish(const SipDigest& digest, Comparison& comparison, bool is_right) noexcept;

    const Crypt crypt_;
    const Clock clock_;
    Leases leases_;
    std::mutex mutex_;
    std::map<SipDigest, std::shared_ptr<Comparison>> under_way_;  // guarded by the mutex
    web::Workers workers_{threads};  // the last member: its end waits for the jobs
};

}  // namespace weir::access

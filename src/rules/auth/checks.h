#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rules/auth/siphash.h"
#include "weir/http/handler.h"
#include "weir/web/await.h"

namespace weir::rules {

/// A comparison of a password with a hash, on its way.
class Check {
   public:
    enum class Verdict : std::uint8_t { none_yet, right, wrong };
    Verdict verdict() const noexcept { return verdict_.load(std::memory_order_acquire); }

   private:
    friend class Checks;
    std::atomic<Verdict> verdict_{Verdict::none_yet};
    std::vector<http::Waker> waiting_;  // guarded by the mutex of Checks
};

/// Compares passwords with hashes on threads of its own, because that takes long on purpose. The
/// threads start with the first comparison: so each process of an engine that forks has its own.
class Checks {
   public:
    static constexpr unsigned threads = 2;
    static constexpr std::size_t at_once_max = 64;    // those that wait for a thread included
    static constexpr std::size_t waiting_max = 1024;  // requests for one comparison

    Checks() = default;
    Checks(const Checks&) = delete;
    Checks& operator=(const Checks&) = delete;

    struct Work {
        SipDigest digest{};  // of the credentials: the same ones are compared once at a time
        std::string password{};
        std::string hash{};
        bool may_be_right = true;  // false: there is no such user, and the time is all that counts
    };
    /// The comparison that runs for these credentials. Null if there is none, or if too many wait
    /// for it already.
    std::shared_ptr<const Check> join(const SipDigest& digest, const http::Request& request);
    /// Begins one; `request` is woken when it is done. Null if too many are under way. Throws
    /// std::system_error if no thread can be started.
    std::shared_ptr<const Check> begin(Work work, const http::Request& request);

   private:
    class Job;
    void finish(const SipDigest& digest, Check& check, bool is_right) noexcept;

    std::mutex mutex_;
    std::map<SipDigest, std::shared_ptr<Check>> under_way_;  // guarded by the mutex
    web::Workers workers_{threads};  // the last one: its end waits for the jobs
};

}  // namespace weir::rules

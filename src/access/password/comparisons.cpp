#include "access/password/comparisons.h"

#include <string.h>

#include <system_error>
#include <utility>

#include "weir/web/ready_middleware.h"

namespace weir::access {

class Comparisons::Job final : public web::detail::Job {
   public:
    Job(Comparisons& all, std::shared_ptr<Comparison> comparison, Work work) noexcept
        : all_{all}, comparison_{std::move(comparison)}, work_{std::move(work)} {}
    ~Job() override { ::explicit_bzero(work_.password.data(), work_.password.size()); }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    void run() noexcept override {
        const std::string made = all_.crypt_(work_.password, work_.hash);
        const bool is_same = !made.empty() && web::same_secret(made, work_.hash);
        all_.finish(work_.digest, *comparison_, is_same && work_.may_be_right);
    }

   private:
    Comparisons& all_;
    const std::shared_ptr<Comparison> comparison_;
    Work work_;
};

std::shared_ptr<const Comparison> Comparisons::join(const SipDigest& digest,
                                                    const http::Request& request) {
    const std::scoped_lock lock{mutex_};
    const auto found = under_way_.find(digest);
    if (found == under_way_.end() || found->second->waiting_.size() >= waiting_max) return nullptr;
    found->second->waiting_.push_back(request.waker());
    return found->second;
}

std::shared_ptr<const Comparison> Comparisons::begin(Work work, const http::Request& request) {
    auto comparison = std::make_shared<Comparison>();
    comparison->waiting_.push_back(request.waker());
    const SipDigest digest = work.digest;
    auto job = std::make_shared<Job>(*this, comparison, std::move(work));
    const std::scoped_lock lock{mutex_};
    const auto [place, is_new] = under_way_.try_emplace(digest, comparison);
    if (!is_new) return nullptr;  // too many wait for it
    const auto lease = leases_.take(clock_().instant);
    if (lease) comparison->lease_ = *lease;
    try {
        if (lease) workers_.post(std::move(job));
    } catch (const std::exception&) {
        leases_.give_back(*lease);
        under_way_.erase(place);
        return nullptr;
    }
    if (lease) return comparison;
    under_way_.erase(place);
    return nullptr;
}

void Comparisons::finish(const SipDigest& digest, Comparison& comparison, bool is_right) noexcept {
    std::vector<http::Waker> waiting;
    {
        const std::scoped_lock lock{mutex_};
        under_way_.erase(digest);
        waiting.swap(comparison.waiting_);
    }
    leases_.give_back(comparison.lease_);
    comparison.verdict_.store(is_right ? Comparison::Verdict::right : Comparison::Verdict::wrong,
                              std::memory_order_release);
    for (const http::Waker& waker : waiting) waker.wake();
}

}  // namespace weir::access

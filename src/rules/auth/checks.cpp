#include "rules/auth/checks.h"

#include <utility>

#include "rules/auth/crypt.h"

namespace weir::rules {

class Checks::Job final : public web::detail::Job {
   public:
    Job(Checks& checks, std::shared_ptr<Check> check, Work work) noexcept
        : checks_{checks}, check_{std::move(check)}, work_{std::move(work)} {}

    void run() noexcept override {
        const bool has = has_hash(work_.password, work_.hash);
        checks_.finish(work_.digest, *check_, has && work_.may_be_right);
    }

   private:
    Checks& checks_;
    const std::shared_ptr<Check> check_;
    const Work work_;
};

std::shared_ptr<const Check> Checks::join(const SipDigest& digest, const http::Request& request) {
    const std::scoped_lock lock{mutex_};
    const auto found = under_way_.find(digest);
    if (found == under_way_.end() || found->second->waiting_.size() >= waiting_max) return nullptr;
    found->second->waiting_.push_back(request.waker());
    return found->second;
}

std::shared_ptr<const Check> Checks::begin(Work work, const http::Request& request) {
    auto check = std::make_shared<Check>();
    check->waiting_.push_back(request.waker());
    const SipDigest digest = work.digest;
    auto job = std::make_shared<Job>(*this, check, std::move(work));
    const std::scoped_lock lock{mutex_};
    if (under_way_.size() >= at_once_max) return nullptr;
    const auto [place, is_new] = under_way_.try_emplace(digest, check);
    if (!is_new) return nullptr;  // too many wait for it
    try {
        workers_.post(std::move(job));
    } catch (...) {
        under_way_.erase(place);
        throw;
    }
    return check;
}

void Checks::finish(const SipDigest& digest, Check& check, bool is_right) noexcept {
    std::vector<http::Waker> waiting;
    {
        const std::scoped_lock lock{mutex_};
        under_way_.erase(digest);
        waiting.swap(check.waiting_);
    }
    check.verdict_.store(is_right ? Check::Verdict::right : Check::Verdict::wrong,
                         std::memory_order_release);
    for (const http::Waker& waker : waiting) waker.wake();
}

}  // namespace weir::rules

#include "rules/answer/changed_reply.h"

#include <memory>
#include <utility>
#include <variant>

namespace weir::rules {
namespace {

class ChangedContinuation final : public http::Continuation {
   public:
    ChangedContinuation(std::unique_ptr<http::Continuation> inner, const Change& change) noexcept
        : inner_{std::move(inner)}, change_{change} {}

    http::Reply resume() override { return changed(inner_->resume(), change_); }
    Instant due() const noexcept override { return inner_->due(); }
    void cut() noexcept override { inner_->cut(); }

   private:
    std::unique_ptr<http::Continuation> inner_;
    const Change& change_;
};

}  // namespace

http::Reply changed(http::Reply reply, const Change& change) {
    if (auto* const response = std::get_if<http::Response>(&reply)) {
        change.apply(*response);
    } else if (auto* const later = std::get_if<http::Later>(&reply)) {
        if (later->continuation)
            later->continuation =
                std::make_unique<ChangedContinuation>(std::move(later->continuation), change);
    }
    return reply;
}

}  // namespace weir::rules

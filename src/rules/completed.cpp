#include "rules/completed.h"

#include <utility>
#include <variant>

namespace weir::rules {
namespace {

/// Completes a response that comes later.
class Completed final : public http::Continuation {
   public:
    Completed(std::unique_ptr<http::Continuation> inner,
              std::shared_ptr<const Completion> completion) noexcept
        : inner_{std::move(inner)}, completion_{std::move(completion)} {}

    http::Reply resume() override { return completed(inner_->resume(), completion_); }
    Instant due() const noexcept override { return inner_->due(); }
    void cut() noexcept override { inner_->cut(); }

   private:
    const std::unique_ptr<http::Continuation> inner_;
    const std::shared_ptr<const Completion> completion_;
};

}  // namespace

http::Reply completed(http::Reply reply, std::shared_ptr<const Completion> completion) {
    if (auto* const response = std::get_if<http::Response>(&reply)) {
        completion->complete(*response);
    } else if (auto* const later = std::get_if<http::Later>(&reply); later && later->continuation) {
        later->continuation =
            std::make_unique<Completed>(std::move(later->continuation), std::move(completion));
    }
    return reply;
}

}  // namespace weir::rules

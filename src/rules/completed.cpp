#include "rules/completed.h"

#include <utility>
#include <variant>

#include "http/content/changed_later.h"

namespace weir::rules {
namespace {

/// Completes a response that comes later.
class Completed final : public http::ChangedLater {
   public:
    Completed(std::unique_ptr<http::Continuation> inner,
              std::shared_ptr<const Completion> completion) noexcept
        : ChangedLater{std::move(inner)}, completion_{std::move(completion)} {}

   private:
    void change(http::Response& response) override { completion_->complete(response); }

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

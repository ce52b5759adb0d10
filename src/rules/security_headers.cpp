#include "weir/rules/security_headers.h"

#include <utility>
#include <variant>

#include "web/middleware/security_fields.h"

namespace weir::rules {
namespace {

using Fields = std::shared_ptr<const web::SecurityFields>;

http::Reply completed(http::Reply reply, const Fields& fields);

/// Completes the answer that comes later.
class Completed final : public http::Continuation {
   public:
    Completed(std::unique_ptr<http::Continuation> inner, Fields fields) noexcept
        : inner_{std::move(inner)}, fields_{std::move(fields)} {}

    http::Reply resume() override { return completed(inner_->resume(), fields_); }
    Instant due() const noexcept override { return inner_->due(); }
    void cut() noexcept override { inner_->cut(); }

   private:
    const std::unique_ptr<http::Continuation> inner_;
    const Fields fields_;
};

http::Reply completed(http::Reply reply, const Fields& fields) {
    if (auto* const response = std::get_if<http::Response>(&reply)) {
        fields->complete(*response);
    } else if (auto* const later = std::get_if<http::Later>(&reply); later && later->continuation) {
        later->continuation = std::make_unique<Completed>(std::move(later->continuation), fields);
    }
    return reply;
}

class Headers final : public http::Handler {
   public:
    Headers(http::Handler& inner, web::SecurityHeaders headers)
        : inner_{inner}, fields_{std::make_shared<const web::SecurityFields>(std::move(headers))} {}

    http::Reply handle(const http::Request& request) override {
        return completed(inner_.handle(request), fields_);
    }

   private:
    http::Handler& inner_;
    const Fields fields_;
};

}  // namespace

std::unique_ptr<http::Handler> add_security_headers(http::Handler& inner,
                                                    web::SecurityHeaders headers) {
    return std::make_unique<Headers>(inner, std::move(headers));
}

}  // namespace weir::rules

#include "weir/rules/security_headers.h"

#include <utility>

#include "rules/completed.h"
#include "web/middleware/security_fields.h"

namespace weir::rules {
namespace {

class Fields final : public Completion {
   public:
    explicit Fields(web::SecurityHeaders headers) : fields_{std::move(headers)} {}
    void complete(http::Response& response) const override { fields_.complete(response); }

   private:
    const web::SecurityFields fields_;
};

class Headers final : public http::Handler {
   public:
    Headers(http::Handler& inner, web::SecurityHeaders headers)
        : inner_{inner}, fields_{std::make_shared<const Fields>(std::move(headers))} {}

    http::Reply handle(const http::Request& request) override {
        return completed(inner_.handle(request), fields_);
    }

   private:
    http::Handler& inner_;
    const std::shared_ptr<const Fields> fields_;
};

}  // namespace

std::unique_ptr<http::Handler> add_security_headers(http::Handler& inner,
                                                    web::SecurityHeaders headers) {
    return std::make_unique<Headers>(inner, std::move(headers));
}

}  // namespace weir::rules

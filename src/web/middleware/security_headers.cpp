#include <utility>

#include "web/middleware/security_fields.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

class Headers final : public Middleware {
   public:
    explicit Headers(SecurityHeaders headers) : fields_{std::move(headers)} {}
    std::string_view name() const noexcept override { return "security_headers"; }
    void after(const Call&, Response& response) override { fields_.complete(response); }

   private:
    SecurityFields fields_;
};

}  // namespace

std::shared_ptr<Middleware> security_headers(SecurityHeaders headers) {
    return std::make_shared<Headers>(std::move(headers));
}

}  // namespace weir::web

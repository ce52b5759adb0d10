#include "rules/answer/security_headers.h"

#include "web/middleware/security_fields.h"

namespace weir::rules {
namespace {

class Complete final : public Change {
   public:
    void apply(http::Response& response) const override { fields_.complete(response); }

   private:
    const web::SecurityFields fields_{{}};
};

}  // namespace

http::Reply SecurityHeaders::handle(const http::Request& request) {
    static const Complete complete;
    return changed(inner_.handle(request), complete);
}

}  // namespace weir::rules

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "http/syntax/get_or_head.h"
#include "http/syntax/origin.h"
#include "weir/http/field_name.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/refusal.h"

namespace weir::web {
namespace {

using http::Method;

/// RFC 9110 9.2.1.
bool is_safe(Method method) noexcept {
    return http::is_get_or_head(method) || method == Method::options || method == Method::trace;
}

class CrossOriginProtection final : public Middleware {
   public:
    explicit CrossOriginProtection(std::vector<std::string> trusted)
        : trusted_{std::move(trusted)} {
        for (std::string& text : trusted_) {
            auto origin = http::origin_from(text);
            if (!origin) throw std::invalid_argument{origin.error()};
            if (*origin == "*")
                throw std::invalid_argument{
                    "a protection that trusts all origins protects nothing"};
            text = std::move(*origin);
        }
    }
    std::string_view name() const noexcept override { return "cross_origin_protection"; }

    std::optional<Response> before(const Call& call) override {
        const http::Request& request = call.request();
        if (is_safe(request.method()) || !http::is_of_another_origin(request) || trusts(request))
            return std::nullopt;
        throw Refusal{Status::forbidden, "Pages of other sites may not send this request"};
    }

   private:
    bool trusts(const http::Request& request) const {
        const auto origin = request.field(http::FieldName::origin);
        return origin && std::ranges::find(trusted_, *origin) != trusted_.end();
    }

    std::vector<std::string> trusted_;
};

}  // namespace

std::shared_ptr<Middleware> cross_origin_protection(std::vector<std::string> trusted) {
    return std::make_shared<CrossOriginProtection>(std::move(trusted));
}

}  // namespace weir::web

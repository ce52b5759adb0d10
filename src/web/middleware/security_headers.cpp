#include <utility>

#include "weir/http/field_name.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

bool has_field(std::string_view lines, std::string_view name) noexcept {
    while (!lines.empty()) {
        const std::size_t end = lines.find("\r\n");
        if (http::equals_ignoring_case(lines.substr(0, lines.find(':')), name)) return true;
        lines.remove_prefix(end == lines.npos ? lines.size() : end + 2);
    }
    return false;
}

class Headers final : public Middleware {
   public:
    explicit Headers(SecurityHeaders headers) {
        if (headers.no_sniff) add("X-Content-Type-Options", "nosniff");
        add("X-Frame-Options", std::move(headers.frame_options));
        add("Referrer-Policy", std::move(headers.referrer_policy));
        add("Cross-Origin-Opener-Policy", std::move(headers.opener_policy));
        add("Content-Security-Policy", std::move(headers.content_security_policy));
        add("Permissions-Policy", std::move(headers.permissions_policy));
        if (headers.hsts.count() > 0)
            add("Strict-Transport-Security", "max-age=" + std::to_string(headers.hsts.count()));
    }
    void after(const Call&, Response& response) override {
        for (const auto& [name, value] : fields_)
            if (!has_field(response.own_fields(), name) &&
                !has_field(response.prepared_fields(), name))
                response.add(name, value);
    }

   private:
    void add(std::string_view name, std::string value) {
        if (value.empty()) return;
        static_cast<void>(Response{}.add(name, value));  // throws if it cannot be sent
        fields_.emplace_back(name, std::move(value));
    }

    std::vector<std::pair<std::string_view, std::string>> fields_;
};

}  // namespace

std::shared_ptr<Middleware> security_headers(SecurityHeaders headers) {
    return std::make_shared<Headers>(std::move(headers));
}

}  // namespace weir::web

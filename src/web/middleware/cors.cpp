#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weir/http/field_name.h"
#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(name);
    return list;
}

class Cors final : public Middleware {
   public:
    explicit Cors(const CorsOptions& options)
        : origins_{options.origins},
          any_{std::ranges::find(origins_, "*") != origins_.end()},
          credentials_{options.credentials},
          methods_{joined(options.methods)},
          headers_{joined(options.headers)},
          exposed_{joined(options.exposed)},
          max_age_{std::to_string(options.max_age.count())} {
        if (any_ && credentials_)
            throw std::invalid_argument{"CORS cannot allow credentials to all origins"};
        Response checked;  // add() throws for what cannot be sent
        for (const std::string& value : {joined(origins_), methods_, headers_, exposed_})
            checked.add("X-Checked", value);
    }

    std::optional<Response> before(const Call& call) override {
        const bool is_preflight = call.method() == http::Method::options &&
                                  call.request().has(http::FieldName::origin) &&
                                  call.field("Access-Control-Request-Method");
        if (!is_preflight) return std::nullopt;
        Response response{Status::no_content};
        mark(call, response);
        response.add("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers");
        if (!is_allowed(call)) return response;
        response.add("Access-Control-Allow-Methods", methods_)
            .add("Access-Control-Max-Age", max_age_);
        if (!headers_.empty()) response.add("Access-Control-Allow-Headers", headers_);
        return response;
    }

    void after(const Call& call, Response& response) override {
        mark(call, response);
        if (!exposed_.empty() && is_allowed(call))
            response.add("Access-Control-Expose-Headers", exposed_);
    }

   private:
    bool is_allowed(const Call& call) const {
        const auto origin = call.request().field(http::FieldName::origin);
        return origin && (any_ || std::ranges::find(origins_, *origin) != origins_.end());
    }
    /// The answer depends on the origin, also for caches, unless all are allowed.
    void mark(const Call& call, Response& response) const {
        if (any_) {
            response.add("Access-Control-Allow-Origin", "*");
            return;
        }
        response.add("Vary", "Origin");
        if (!is_allowed(call)) return;
        response.add("Access-Control-Allow-Origin", *call.request().field(http::FieldName::origin));
        if (credentials_) response.add("Access-Control-Allow-Credentials", "true");
    }

    std::vector<std::string> origins_;
    bool any_;
    bool credentials_;
    std::string methods_, headers_, exposed_, max_age_;
};

}  // namespace

std::shared_ptr<Middleware> cors(const CorsOptions& options) {
    return std::make_shared<Cors>(options);
}

}  // namespace weir::web

#include "http/answer/cors.h"

#include <stdexcept>
#include <utility>

#include "weir/web/ready_middleware.h"

namespace weir::web {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list.append(list.empty() ? "" : ", ").append(name);
    return list;
}

http::Cors cors_from(const CorsOptions& options) {
    http::CorsPolicy policy{.origins = options.origins,
                            .credentials = options.credentials,
                            .exposed = joined(options.exposed),
                            .methods = joined(options.methods),
                            .headers = joined(options.headers),
                            .max_age = std::to_string(options.max_age.count())};
    Response checked;  // add() throws for a value that cannot be sent
    for (const std::string& value : {policy.exposed, policy.methods, policy.headers})
        checked.add("X-Checked", value);
    auto cors = http::Cors::from(std::move(policy));
    if (!cors) throw std::invalid_argument{cors.error()};
    return std::move(*cors);
}

class CorsMiddleware final : public Middleware {
   public:
    explicit CorsMiddleware(const CorsOptions& options) : cors_{cors_from(options)} {}
    std::string_view name() const noexcept override { return "cors"; }

    std::optional<Response> before(const Call& call) override {
        if (!http::Cors::is_preflight(call.request())) return std::nullopt;
        Response response{Status::no_content};
        after(call, response);
        response.add("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers");
        cors_.answer_preflight(call.request(), response);
        return response;
    }

    void after(const Call& call, Response& response) override {
        for (const auto& [name, value] : cors_.fixed_fields()) response.add(name, value);
        cors_.allow(call.request(), response);
    }

   private:
    http::Cors cors_;
};

}  // namespace

std::shared_ptr<Middleware> cors(const CorsOptions& options) {
    return std::make_shared<CorsMiddleware>(options);
}

}  // namespace weir::web

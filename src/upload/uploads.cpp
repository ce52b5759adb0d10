#include <optional>
#include <utility>

#include "http/syntax/get_or_head.h"
#include "http/syntax/origin.h"
#include "site/path/target_path.h"
#include "upload/handler.h"
#include "upload/receiver.h"
#include "weir/upload/upload.h"
#include "weir/web/router.h"

namespace weir::upload {
namespace {

using http::Method;
using http::Reply;
using http::Request;

class Uploads final : public http::Handler {
   public:
    Uploads(http::Handler& inner, std::shared_ptr<Store> store, const site::Options& site,
            const Options& options)
        : inner_{inner}, receiver_{std::move(store), site, options} {
        router_.add("/{path...}",
                    [this](web::Call call) { return receiver_.take(std::move(call)); });
    }

    /// The error is that of the guard.
    std::expected<void, std::string> guard(const Options& options) {
        if (!options.guard) return {};
        auto made = options.guard(router_);
        if (!made) return std::unexpected{std::move(made.error())};
        guard_ = std::move(*made);
        return {};
    }

    Reply handle(const Request& request) override {
        const Method method = request.method();
        if (http::is_get_or_head(method)) return inner_.handle(request);
        const auto takes = method_for(request);
        if (!takes) return inner_.handle(request);
        if (method == *takes) return take(request);
        Reply reply = inner_.handle(request);
        if (auto* const response = std::get_if<http::Response>(&reply)) tell(*response, *takes);
        return reply;
    }

   private:
    /// The method that can put something at the path; null if none can.
    std::optional<Method> method_for(const Request& request) const {
        const auto path = site::decoded_path(request.path());
        if (!path) return std::nullopt;
        const bool is_folder = path->ends_with('/');
        const auto end = is_folder ? path->size() - 1 : path->rfind('/');
        const std::string_view folder =
            end == 0 ? std::string_view{} : std::string_view{*path}.substr(1, end - 1);
        if (!receiver_.names().take_in(folder)) return std::nullopt;
        return is_folder ? Method::post : Method::put;
    }

    Reply take(const Request& request) {
        if (http::is_of_another_origin(request))
            return http::error_response(http::Status::forbidden,
                                        "Pages of other sites may not put files here");
        return guard_ ? guard_->handle(request) : router_.handle(request);
    }

    /// Allow may have several field lines (RFC 9110 5.3).
    static void tell(http::Response& response, Method method) {
        if (response.status() == http::Status::method_not_allowed ||
            response.status() == http::Status::no_content)
            response.add("Allow", method == Method::put ? "PUT" : "POST");
    }

    http::Handler& inner_;
    Receiver receiver_;
    web::Router router_;
    std::unique_ptr<http::Handler> guard_;  // around the router; null: none
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> around(http::Handler& inner,
                                                                  const site::Options& site,
                                                                  const Options& options) {
    auto store = Store::open(site, options);
    if (!store) return std::unexpected{std::move(store.error())};
    return around_with(std::move(*store), inner, site, options);
}

std::expected<std::unique_ptr<http::Handler>, std::string> around_with(std::shared_ptr<Store> store,
                                                                       http::Handler& inner,
                                                                       const site::Options& site,
                                                                       const Options& options) {
    auto uploads = std::make_unique<Uploads>(inner, std::move(store), site, options);
    if (const auto guarded = uploads->guard(options); !guarded)
        return std::unexpected{guarded.error()};
    return uploads;
}

}  // namespace weir::upload

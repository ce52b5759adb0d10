#include "rules/redirect/redirects.h"

#include <optional>
#include <string>
#include <variant>

#include "rules/host_name.h"
#include "rules/request_path.h"

namespace weir::rules {
namespace {

std::string origin_of(const http::Request& request) {
    std::string origin = request.origin().security() ? "https://" : "http://";
    return normal_origin(origin.append(request.authority()));
}

std::optional<Destination> destination(const std::vector<Move>& moves,
                                       const http::Request& request) {
    const RequestPath path{request.path()};
    if (!path.text()) return std::nullopt;
    const HostName host{request.authority()};
    const Asked asked{.method = request.method_text(),
                      .host = host.text(),
                      .path = *path.text(),
                      .query = request.query()};
    return find_destination(moves, asked, origin_of(request));
}

}  // namespace

http::Reply Redirects::handle(const http::Request& request) {
    const auto found = destination(moves_, request);
    if (!found) return inner_.handle(request);
    http::Response response = http::error_response(found->move->status);
    response.add("Location", found->target);
    return response;
}

http::Reply Rewrites::handle(const http::Request& request) {
    const auto found = destination(moves_, request);
    if (!found) return inner_.handle(request);
    const auto before = request.rewrite(found->target);
    http::Reply reply = inner_.handle(request);
    // The handler may be called again, with the content. One that goes on later needs the path.
    if (!std::holds_alternative<http::Later>(reply)) request.restore(before);
    return reply;
}

}  // namespace weir::rules

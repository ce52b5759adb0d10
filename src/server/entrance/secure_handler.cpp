#include "server/entrance/secure_handler.h"

#include <string_view>
#include <utility>
#include <variant>

#include "http/answer/location.h"
#include "http/content/changed_later.h"
#include "server/entrance/acme_challenge.h"

namespace weir::server {
namespace {

/// Returns the host without its port.
std::string_view host_of(std::string_view authority) {
    const auto colon = authority.rfind(':');
    const auto bracket = authority.rfind(']');
    const bool has_port =
        colon != std::string_view::npos && (bracket == std::string_view::npos || bracket < colon);
    return has_port ? authority.substr(0, colon) : authority;
}

/// A browser heeds the first of several (RFC 6797 8.1); that of another server may be its own.
void add_hsts(http::Response& response, std::string_view hsts) {
    constexpr std::string_view name = "Strict-Transport-Security";
    if (!response.get(name)) response.add(name, hsts);
}

}  // namespace

SecureHandler::SecureHandler(http::Handler& handler, std::chrono::seconds hsts)
    : handler_{handler} {
    if (hsts.count() > 0) hsts_ = "max-age=" + std::to_string(hsts.count());
}

http::Reply SecureHandler::handle(const http::Request& request) {
    if (!request.origin().security()) {
        if (request.path().starts_with(acme_challenges)) return handler_.handle(request);
        return redirect(request);
    }
    http::Reply reply = handler_.handle(request);
    if (hsts_.empty()) return reply;
    return http::changed(std::move(reply),
                         [this](http::Response& response) { add_hsts(response, hsts_); });
}

/// 308 keeps the method and the content; a client may change the method after a 301 (RFC 9110
/// 15.4.2, 15.4.9).
http::Response SecureHandler::redirect(const http::Request& request) const {
    if (request.authority().empty() || !request.path().starts_with('/'))
        return http::error_response(http::Status::bad_request,
                                    "This port only redirects to HTTPS, and the request names no "
                                    "host or path to redirect to");
    std::string location{"https://"};
    location += host_of(request.authority());
    if (port_ != 443) location += ':' + std::to_string(port_);
    location += request.path();
    if (!request.query().empty()) (location += '?') += request.query();
    http::Response response{http::Status::permanent_redirect};
    response.add("Location", http::location_from(location));
    return response;
}

}  // namespace weir::server

#include "server/admin/admin_handler.h"

#include <new>
#include <string_view>
#include <utility>

#include "server/admin/metrics_page.h"
#include "server/admin/status_page.h"
#include "server/endpoint.h"

namespace weir::server {
namespace {

using http::FieldName;
using http::Response;
using http::Status;
using Format = Exposition::Format;

constexpr std::string_view links =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>weir</title>\n"
    "<h1>weir</h1>\n<ul>\n"
    "<li><a href=\"/status\">status</a>: the state of the server, as JSON\n"
    "<li><a href=\"/metrics\">metrics</a>: for Prometheus, as OpenMetrics\n"
    "<li><a href=\"/livez\">livez</a>: 200 while the event loops turn\n"
    "<li><a href=\"/readyz\">readyz</a>: 200 while the server takes requests\n"
    "</ul>\n";

Response page(std::string_view media_type, std::string content, Status status = Status::ok) {
    Response response{status};
    response.add("Content-Type", media_type)
        .add("Cache-Control", "no-store")
        .add("X-Content-Type-Options", "nosniff")
        .content(std::move(content));
    return response;
}

Response words(std::string text, Status status = Status::ok) {
    return page("text/plain; charset=utf-8", std::move(text += '\n'), status);
}

/// A browser would store what it can't show; Prometheus names both formats.
Format format_for(std::string_view accept) {
    if (accept.contains("application/openmetrics-text")) return Format::openmetrics;
    const bool wants_text = accept.contains("text/plain") || accept.contains("text/html");
    return wants_text ? Format::prometheus : Format::openmetrics;
}

bool is_numeric_or_local(std::string_view authority) {
    if (authority.empty()) return true;  // HTTP/1.0
    const auto address = parse_endpoint(authority, 0);
    return address && !address->is_unix();
}

}  // namespace

http::Reply AdminHandler::handle(const http::Request& request) try {
    return answer(request);
} catch (const std::bad_alloc&) {
    return Response{Status::service_unavailable};
}

Response AdminHandler::answer(const http::Request& request) const {
    if (names_matter_ && !is_numeric_or_local(request.authority()))
        return http::error_response(Status::forbidden, "Ask for this server by its IP address");
    if (request.method() != http::Method::get && request.method() != http::Method::head) {
        auto refused = http::error_response(Status::method_not_allowed);
        refused.add("Allow", "GET, HEAD");
        return refused;
    }
    const std::string_view path = request.path();
    if (path == "/metrics") return metrics(request);
    if (path == "/status") return page("application/json", status_page(facts_()));
    if (path == "/livez") return live();
    if (path == "/readyz") return ready();
    if (path == "/") {
        auto list = page("text/html; charset=utf-8", std::string{links});
        list.add("Content-Security-Policy", "default-src 'none'");
        return list;
    }
    return http::error_response(Status::not_found);
}

Response AdminHandler::metrics(const http::Request& request) const {
    const Format format = format_for(request.field(FieldName::accept).value_or(""));
    return page(Exposition::media_type(format), metrics_page(facts_(), format));
}

Response AdminHandler::live() const {
    const Facts facts = facts_();
    if (!facts.has_stuck_loop()) return words("live");
    const auto longest = facts.totals.longest_turn(facts.now.instant);
    return words("a loop has been busy for " + std::to_string(longest.count()) + " ms",
                 Status::service_unavailable);
}

Response AdminHandler::ready() const {
    return facts_().state.is_serving ? words("ready")
                                     : words("draining", Status::service_unavailable);
}

}  // namespace weir::server

#include "http/answer/error_page.h"

#include "http/answer/html.h"

namespace weir::http {

namespace {

/// Explains a status to a person. The text has no full stop.
std::string_view explanation(Status status) noexcept {
    switch (status) {
        case Status::moved_permanently: return "This page has moved";
        case Status::bad_request: return "The server cannot understand this request";
        case Status::forbidden: return "The server refuses this request";
        case Status::not_found: return "There is nothing at this address";
        case Status::method_not_allowed: return "This address does not support this request method";
        case Status::not_acceptable:
            return "The server has no version of this file that the client accepts";
        case Status::precondition_failed: return "A condition in the request is not met";
        case Status::range_not_satisfiable:
            return "The requested range starts after the end of the file";
        case Status::internal_server_error: return "The server failed to answer this request";
        case Status::not_implemented: return "The server does not know this request method";
        case Status::service_unavailable: return "The server is busy. Please try again later";
        default: return {};
    }
}

constexpr std::string_view page_begin =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";

constexpr std::string_view page_style =
    "</title>\n<style>body{font:1.1rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:34rem;"
    "padding:0 1.5rem;overflow-wrap:anywhere;background:#fff;color:#1c2b33}h1{font-size:1.6rem}"
    "a{display:inline-block;margin-right:1rem;color:#0a5c8a}"
    "@media(prefers-color-scheme:dark){body{background:#121a1f;color:#dbe5ea}a{color:#6cc1f0}}"
    "</style>\n"
    "<main>\n<h1>";

void append_ways(std::string& page, std::span<const Way> ways) {
    if (ways.empty()) return;
    page += "<nav aria-label=\"Ways out\">";
    for (const Way& way : ways) {
        page += "<a href=\"";
        append_html(page, way.reference);
        page.append("\">").append(way.words).append("</a> ");
    }
    page += "</nav>\n";
}

}  // namespace

Response error_response(Status status, std::string_view detail) {
    return error_response_with({}, status, detail);
}

Response come_again(Status status, std::chrono::microseconds wait, std::string_view detail) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait);
    Response response = error_response(status, detail);
    response.add("Retry-After", std::to_string(seconds.count()));
    return response;
}

Response error_response_with(std::span<const Way> ways, Status status, std::string_view detail) {
    const std::string title = std::to_string(code(status)) + " " + std::string{reason(status)};
    if (detail.empty()) detail = explanation(status);
    std::string page{page_begin};
    page.append(title).append(page_style).append(title).append("</h1>\n");
    if (!detail.empty()) {
        page += "<p>";
        append_html(page, detail);
        page += ".</p>\n";
    }
    append_ways(page, ways);
    page += "</main>\n</html>\n";
    Response response{status};
    response.add("Content-Type", "text/html; charset=utf-8").content(std::move(page));
    return response;
}

}  // namespace weir::http

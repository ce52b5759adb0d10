#include "weir/web/response.h"

#include <utility>

#include "base/quoted.h"
#include "http/answer/location.h"
#include "http/syntax/utf8.h"

namespace weir::web {
namespace {

// Prepared lines take no memory for each response.
constexpr std::string_view text_type = "Content-Type: text/plain; charset=utf-8\r\n";
constexpr std::string_view html_type = "Content-Type: text/html; charset=utf-8\r\n";
constexpr std::string_view json_type = "Content-Type: application/json\r\n";

Response owned(std::string_view prepared, std::string&& content, Status status) {
    Response response{status};
    response.prepared_fields(prepared).content(std::move(content));
    return response;
}

Response borrowed(std::string_view prepared, std::string_view content, Status status) noexcept {
    Response response{status};
    response.prepared_fields(prepared).content_view(content);
    return response;
}

void append_member(std::string& json, std::string_view name, std::string_view text) {
    if (text.empty()) return;
    append_quoted(json += ", ", name);
    append_quoted(json += ": ", http::as_utf8(text));  // it may quote the request
}

}  // namespace

Response text(std::string content, Status status) {
    return owned(text_type, std::move(content), status);
}
Response html(std::string content, Status status) {
    return owned(html_type, std::move(content), status);
}
Response json_text(std::string json, Status status) {
    return owned(json_type, std::move(json), status);
}

Response content(std::string_view media_type, std::string bytes, Status status) {
    Response response{status};
    response.add("Content-Type", media_type).content(std::move(bytes));
    return response;
}

Response text_view(std::string_view content, Status status) noexcept {
    return borrowed(text_type, content, status);
}
Response json_view(std::string_view json, Status status) noexcept {
    return borrowed(json_type, json, status);
}

Response problem(const Problem& problem) {
    std::string body = "{\"status\": " + std::to_string(http::code(problem.status));
    const auto title = problem.title.empty() ? http::reason(problem.status) : problem.title;
    append_member(body, "title", title);
    append_member(body, "detail", problem.detail);
    append_member(body, "type", problem.type);
    append_member(body, "instance", problem.instance);
    if (!problem.members.empty()) body.append(", ").append(problem.members);
    body += "}\n";
    return content("application/problem+json", std::move(body), problem.status);
}

Response redirect(std::string_view location, Status status) {
    return Response{status}.add("Location", http::location_from(location));
}

}  // namespace weir::web

#include "weir/http/response.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "http/token.h"
#include "weir/http/field_name.h"

namespace weir::http {

namespace {

bool is_field_value(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
    });
}

/// Framing and connection management are the core's alone; a second opinion would let an answer be
/// cut in two ways.
bool is_core_field(std::string_view name) {
    constexpr std::array<std::string_view, 5> own = {"Date", "Connection", "Content-Length",
                                                     "Transfer-Encoding", "Keep-Alive"};
    return std::ranges::any_of(own, [&](auto field) { return equals_ignoring_case(field, name); });
}

void append_escaped(std::string& page, std::string_view text) {
    for (const char c : text) switch (c) {
            case '&': page += "&amp;"; break;
            case '<': page += "&lt;"; break;
            case '>': page += "&gt;"; break;
            case '"': page += "&quot;"; break;
            default: page += c;
        }
}

}  // namespace

Response& Response::add(std::string_view name, std::string_view value) & {
    if (!is_token(name)) throw std::invalid_argument{"a field name must be a token"};
    if (!is_field_value(value))
        throw std::invalid_argument{"a field value has a control character"};
    if (is_core_field(name)) throw std::invalid_argument{"this field is set by the server itself"};
    constexpr std::size_t punctuation = 4;
    fields_.reserve(fields_.size() + name.size() + value.size() + punctuation);
    fields_.append(name).append(": ").append(value).append("\r\n");
    return *this;
}

Response&& Response::add(std::string_view name, std::string_view value) && {
    return std::move(add(name, value));
}

Response error_response(Status status, std::string_view detail) {
    const std::string title = std::to_string(code(status)) + " " + std::string{reason(status)};
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
        title +
        "</title>\n<style>body{font:1.1rem/1.5 system-ui,sans-serif;margin:15vh auto;"
        "max-width:34rem;padding:0 1.5rem}</style>\n<h1>" +
        title + "</h1>\n";
    if (!detail.empty()) {
        page += "<p>";
        append_escaped(page, detail);
        page += ".</p>\n";
    }
    page += "</html>\n";
    Response response{status};
    response.add("Content-Type", "text/html; charset=utf-8").content(std::move(page));
    return response;
}

}  // namespace weir::http

#include <string>
#include <string_view>

#include "http/answer/html.h"
#include "web/openapi/described.h"
#include "weir/web/openapi.h"

namespace weir::web {
namespace {

constexpr std::string_view style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "section{border-top:1px solid #8884;margin-top:1.5rem}"
    "pre,code{font-family:ui-monospace,monospace}pre{overflow:auto;background:#8881;padding:.5rem}"
    "td,th{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}"
    ":root{color-scheme:light dark}";

std::string element(std::string_view name, std::string_view text) {
    std::string out;
    out.append("<").append(name).append(">");
    http::append_html(out, text);
    return out.append("</").append(name).append(">\n");
}

void append_if(std::string& out, std::string_view name, std::string_view text) {
    if (!text.empty()) out += element(name, text);
}

void append_content(std::string& out, const Operation::Content& content) {
    append_if(out, "pre", content.schema);
    if (!content.example.empty())
        out.append("<p>For example:</p>\n").append(element("pre", content.example));
}

void append_parameters(std::string& out, const Operation::Facts& facts) {
    if (facts.parameters.empty()) return;
    out += "<table>\n<tr><th>Parameter<th>in<th>Schema<th>\n";
    for (const Operation::Parameter& one : facts.parameters)
        out.append("<tr><td>")
            .append(element("code", one.name))
            .append("<td>")
            .append(one.place)
            .append(one.is_required ? "" : ", may be missing")
            .append("<td>")
            .append(element("code", one.schema))
            .append(element("td", one.description));
    out += "</table>\n";
}

void append_route(std::string& out, const Described& route) {
    const Operation::Facts& facts = route.facts;
    out.append("<section>\n<h2>")
        .append(element("code", route.method + ' ' + route.host + route.path));
    out += "</h2>\n";
    append_if(out, "p", facts.summary);
    append_if(out, "p", facts.description);
    append_parameters(out, facts);
    if (!facts.content.schema.empty()) out += "<h3>Content of the request</h3>\n";
    append_content(out, facts.content);
    for (const Operation::Answer& answer : facts.answers) {
        out += element("h3", std::to_string(code(answer.status)) + ' ' + answer.description);
        append_content(out, answer.content);
    }
    out += "</section>\n";
}

}  // namespace

std::string OpenApi::page(const Router& router) const {
    std::string out =
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
        "<meta name=viewport content=\"width=device-width\">\n";
    out += element("title", info_.title);
    out.append("<style>").append(style).append("</style>\n");
    out += element("h1", info_.title + ' ' + info_.version);
    append_if(out, "p", info_.description);
    for (const Described& route : described(router, operations_)) append_route(out, route);
    return out += "</html>\n";
}

}  // namespace weir::web

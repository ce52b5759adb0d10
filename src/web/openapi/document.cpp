#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/quoted.h"
#include "http/syntax/lower_case.h"
#include "web/openapi/described.h"
#include "weir/web/openapi.h"

namespace weir::web {
namespace {

/// Writes the members of an object.
class Object {
   public:
    explicit Object(std::string& out) : out_{out} { out_ += '{'; }
    ~Object() { out_ += '}'; }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    /// The name; a value must follow.
    std::string& member(std::string_view name) {
        if (!is_first_) out_ += ", ";
        is_first_ = false;
        append_quoted(out_, name);
        return out_ += ": ";
    }
    /// Leaves an empty text out.
    void text(std::string_view name, std::string_view value) {
        if (!value.empty()) append_quoted(member(name), value);
    }

   private:
    std::string& out_;
    bool is_first_ = true;
};

void append_info(Object& object, const OpenApi::Info& info) {
    Object all{object.member("info")};
    append_quoted(all.member("title"), info.title);
    append_quoted(all.member("version"), info.version);
    all.text("description", info.description);
}

void append_server(Object& object, std::string_view url) {
    std::string& list = object.member("servers") += '[';
    Object{list}.text("url", url);
    list += ']';
}

void append_content(Object& object, const Operation::Content& content) {
    if (content.schema.empty()) return;
    Object types{object.member("content")};
    Object type{types.member("application/json")};
    type.member("schema") += content.schema;
    if (!content.example.empty()) type.member("example") += content.example;
}

void append_parameters(Object& object, const std::vector<Operation::Parameter>& parameters) {
    if (parameters.empty()) return;
    std::string& out = object.member("parameters") += '[';
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (i != 0) out += ", ";
        const Operation::Parameter& parameter = parameters[i];
        Object one{out};
        one.text("name", parameter.name);
        one.text("in", parameter.place);
        one.text("description", parameter.description);
        one.member("required") += parameter.is_required ? "true" : "false";
        one.member("schema") += parameter.schema;
    }
    out += ']';
}

/// A document must have at least one response for each operation.
void append_answers(Object& object, const std::vector<Operation::Answer>& answers) {
    Object all{object.member("responses")};
    if (answers.empty()) Object{all.member("default")}.text("description", "The response");
    for (const Operation::Answer& answer : answers) {
        Object one{all.member(std::to_string(code(answer.status)))};
        append_quoted(one.member("description"), answer.description);
        append_content(one, answer.content);
    }
}

void append_operation(std::string& out, const Described& route) {
    const Operation::Facts& facts = route.facts;
    Object object{out};
    object.text("operationId", facts.id);
    object.text("summary", facts.summary);
    object.text("description", facts.description);
    if (!facts.tag.empty()) {
        append_quoted(object.member("tags") += '[', facts.tag);
        out += ']';
    }
    if (!route.host.empty()) append_server(object, "//" + route.host);
    append_parameters(object, facts.parameters);
    if (!facts.content.schema.empty()) {
        Object content{object.member("requestBody")};
        content.member("required") += "true";
        append_content(content, facts.content);
    }
    append_answers(object, facts.answers);
}

/// Each path once, with all its methods.
void append_paths(std::string& out, const std::vector<Described>& routes) {
    Object paths{out};
    for (auto route = routes.begin(); route != routes.end(); ++route) {
        const auto has_path = [&](const Described& other) { return other.path == route->path; };
        if (std::find_if(routes.begin(), route, has_path) != route) continue;
        Object methods{paths.member(route->path)};
        std::vector<std::string_view> told;
        for (auto same = route; same != routes.end(); ++same) {
            if (!has_path(*same) || std::ranges::find(told, same->method) != told.end()) continue;
            told.push_back(same->method);
            append_operation(methods.member(http::lower_case(same->method)), *same);
        }
    }
}

}  // namespace

std::string OpenApi::document(const Router& router) const {
    std::string out;
    {
        Object object{out};
        object.text("openapi", "3.1.0");
        append_info(object, info_);
        if (!info_.server.empty()) append_server(object, info_.server);
        append_paths(object.member("paths"), described(router, operations_));
    }
    return out += '\n';
}

}  // namespace weir::web

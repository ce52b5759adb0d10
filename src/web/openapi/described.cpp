#include "web/openapi/described.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/hexadecimal.h"
#include "web/routing/pattern.h"

namespace weir::web {
namespace {

using Kind = Pattern::Segment::Kind;

/// OpenAPI 3.1, 4.8.9: the other methods have no place in a document.
bool is_told_of(std::string_view method) {
    constexpr std::array<std::string_view, 8> methods{"GET",     "PUT",  "POST",  "DELETE",
                                                      "OPTIONS", "HEAD", "PATCH", "TRACE"};
    return std::ranges::find(methods, method) != methods.end();
}

/// The name of a wildcard; that of the rest of a path may be empty.
std::string name_of(const Pattern::Segment& segment) {
    return segment.text.empty() ? "rest" : segment.text;
}

bool is_wildcard(const Pattern::Segment& segment) {
    return segment.kind == Kind::one || segment.kind == Kind::rest;
}

/// The segments are decoded, and a document has a part of a URI (RFC 3986 3.3).
std::string template_of(const Pattern& pattern) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@";
    std::string path;
    for (const auto& segment : pattern.segments()) {
        path += '/';
        if (is_wildcard(segment)) path.append("{").append(name_of(segment)).append("}");
        if (segment.kind == Kind::literal) append_percent_encoded(path, segment.text, plain);
    }
    return path.empty() ? "/" : path;
}

/// The parameters of the path in its order, and then the others.
std::vector<Operation::Parameter> parameters_of(const Pattern& pattern,
                                                std::vector<Operation::Parameter> told) {
    std::vector<Operation::Parameter> all;
    for (const auto& segment : pattern.segments()) {
        if (!is_wildcard(segment)) continue;
        const std::string name = name_of(segment);
        const auto found = std::ranges::find_if(told, [&](const Operation::Parameter& one) {
            return one.place == "path" && one.name == name;
        });
        if (found == told.end()) {
            all.push_back({.place = "path",
                           .name = name,
                           .schema = Schema<std::string>::json(),
                           .description = {},
                           .is_required = true});
        } else {
            all.push_back(std::move(*found));
            told.erase(found);
        }
    }
    for (Operation::Parameter& one : told) {
        if (one.place == "path")
            throw std::invalid_argument{"the pattern \"" + pattern.text() + "\" has no {" +
                                        one.name + "}, which its description has"};
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace

std::vector<Described> described(const Router& router,
                                 const std::map<std::string, Operation, std::less<>>& operations) {
    const std::vector<std::string> patterns = router.patterns();
    for (const auto& [pattern, operation] : operations)
        if (std::ranges::find(patterns, pattern) == patterns.end())
            throw std::invalid_argument{"the router has no route \"" + pattern +
                                        "\", which is described"};
    std::vector<Described> all;
    for (const std::string& text : patterns) {
        const Pattern pattern = Pattern::from(text);
        const auto found = operations.find(text);
        Described one{
            .method = pattern.method(),
            .path = template_of(pattern),
            .host = pattern.host(),
            .facts = found != operations.end() ? found->second.facts() : Operation::Facts{}};
        if (!is_told_of(one.method)) continue;
        one.facts.parameters = parameters_of(pattern, std::move(one.facts.parameters));
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace weir::web

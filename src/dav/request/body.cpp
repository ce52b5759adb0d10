#include "dav/request/body.h"

#include <utility>

#include "dav/xml/reader.h"
#include "weir/web/refusal.h"

namespace weir::dav {
namespace {

using http::Status;
using web::Refusal;

std::unique_ptr<Element> read(std::string_view document, std::string_view root) {
    auto element = read_xml(document);
    if (!element) throw Refusal{Status::bad_request, element.error()};
    if (!(*element)->name.is(root))
        throw Refusal{Status::unprocessable_content, "The XML is no DAV:" + std::string{root}};
    return std::move(*element);
}

std::vector<Name> names_in(const Element& element) {
    std::vector<Name> names;
    for (const Element* const child : element.children()) names.push_back(child->name);
    return names;
}

void add_steps(std::vector<PropertyStep>& steps, const Element& update, const Element& step) {
    const bool sets = step.name.is("set");
    if (!sets && !step.name.is("remove")) return;
    const Element* const properties = step.child("prop");
    if (!properties)
        throw Refusal{Status::unprocessable_content,
                      "A step of the DAV:propertyupdate has no DAV:prop"};
    std::string_view language = properties->language();
    if (language.empty()) language = step.language();
    if (language.empty()) language = update.language();
    for (const Element* const each : properties->children())
        steps.push_back(
            {.name = each->name, .xml = sets ? rendered(*each, language) : std::string{}});
}

}  // namespace

PropertiesAsked read_propfind(std::string_view document) {
    using Kind = PropertiesAsked::Kind;
    if (document.empty()) return {};
    const auto root = read(document, "propfind");
    if (const auto* const some = root->child("prop"))
        return {.kind = Kind::some, .names = names_in(*some)};
    if (root->child("propname")) return {.kind = Kind::names};
    if (!root->child("allprop"))
        throw Refusal{Status::unprocessable_content, "The DAV:propfind asks for nothing"};
    const auto* const more = root->child("include");
    return {.kind = Kind::all, .names = more ? names_in(*more) : std::vector<Name>{}};
}

std::vector<PropertyStep> read_proppatch(std::string_view document) {
    const auto root = read(document, "propertyupdate");
    std::vector<PropertyStep> steps;
    for (const Element* const step : root->children()) add_steps(steps, *root, *step);
    if (steps.empty())
        throw Refusal{Status::unprocessable_content, "The DAV:propertyupdate changes nothing"};
    return steps;
}

std::optional<LockAsked> read_lock(std::string_view document) {
    if (document.empty()) return std::nullopt;
    const auto root = read(document, "lockinfo");
    const auto* const scope = root->child("lockscope");
    const auto* const type = root->child("locktype");
    if (!scope || !type || !type->child("write") ||
        !(scope->child("exclusive") || scope->child("shared")))
        throw Refusal{Status::unprocessable_content,
                      "The DAV:lockinfo asks for no exclusive and no shared lock for writing"};
    const auto* const owner = root->child("owner");
    return LockAsked{.is_exclusive = scope->child("exclusive") != nullptr,
                     .owner = owner ? rendered(*owner, root->language()) : std::string{}};
}

}  // namespace weir::dav

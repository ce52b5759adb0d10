#include "dav/xml/element.h"

#include <algorithm>

#include "dav/xml/escaped.h"

namespace weir::dav {
namespace {

constexpr std::string_view xml_space = "http://www.w3.org/XML/1998/namespace";

void append_qualified(std::string& out, const std::string& prefix, const std::string& local) {
    if (!prefix.empty()) out.append(prefix).append(":");
    out.append(local);
}

void append_value(std::string& out, std::string_view value) {
    out += "=\"";
    append_escaped(out, value);
    out += '"';
}

void append_declaration(std::string& out, const std::string& prefix, const std::string& space) {
    out += prefix.empty() ? " xmlns" : " xmlns:" + prefix;
    append_value(out, space);
}

/// The elements that are open have names in `out` already.
void append_start(std::string& out, const Element& element, std::string_view language) {
    out += '<';
    append_qualified(out, element.prefix, element.name.local);
    append_declaration(out, element.prefix, element.name.space);
    std::vector<std::string> declared{element.prefix};
    for (const Element::Attribute& each : element.attributes) {
        if (!each.prefix.empty() && each.name.space != xml_space &&
            std::ranges::find(declared, each.prefix) == declared.end()) {
            append_declaration(out, each.prefix, each.name.space);
            declared.push_back(each.prefix);
        }
        out += ' ';
        append_qualified(out, each.prefix, each.name.local);
        append_value(out, each.value);
    }
    if (!language.empty() && element.language().empty()) append_value(out += " xml:lang", language);
}

/// The reader has limited the depth.
void append(std::string& out, const Element& element, std::string_view language) {
    append_start(out, element, language);
    if (element.nodes.empty()) {
        out += "/>";
        return;
    }
    out += '>';
    for (const Element::Node& node : element.nodes) {
        if (node.element)
            append(out, *node.element, {});
        else
            append_escaped(out, node.text);
    }
    out += "</";
    append_qualified(out, element.prefix, element.name.local);
    out += '>';
}

}  // namespace

const Element* Element::child(std::string_view dav_local) const noexcept {
    for (const Node& node : nodes)
        if (node.element && node.element->name.is(dav_local)) return node.element.get();
    return nullptr;
}

std::vector<const Element*> Element::children() const {
    std::vector<const Element*> all;
    for (const Node& node : nodes)
        if (node.element) all.push_back(node.element.get());
    return all;
}

std::string Element::text() const {
    std::string all;
    for (const Node& node : nodes)
        if (!node.element) all += node.text;
    return all;
}

std::string_view Element::language() const noexcept {
    for (const Attribute& each : attributes)
        if (each.name.space == xml_space && each.name.local == "lang") return each.value;
    return {};
}

std::string rendered(const Element& element, std::string_view language) {
    std::string out;
    append(out, element, language);
    return out;
}

}  // namespace weir::dav

// XML of WebDAV requests and the field If. The input is, by its first byte, a document or the text
// of a field. What is rendered of a document is read again as the same. A field is read as a model
// of regular expressions reads it.

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>

#include "dav/request/body.h"
#include "dav/request/if_field.h"
#include "dav/xml/reader.h"
#include "fuzz/fuzz_input.h"
#include "weir/web/refusal.h"

namespace weir::tests {
namespace {

std::size_t depth_of(const dav::Element& element) {
    std::size_t depth = 0;
    for (const dav::Element* const child : element.children())
        depth = std::max(depth, depth_of(*child));
    return depth + 1;
}

/// What clients read of a property is what another one has set.
void check_rendering(const dav::Element& element) {
    const std::string text = dav::rendered(element);
    const auto again = dav::read_xml(text, {.bytes_max = text.size(), .name_bytes_max = 2000});
    require(again.has_value());
    require(dav::rendered(**again) == text);
}

template <typename Read>
void read_body(Read read, std::string_view document) {
    try {
        read(document);
    } catch (const web::Refusal& refusal) {
        require(http::code(refusal.status()) == 400 || http::code(refusal.status()) == 422);
    }
}

void check_document(std::string_view document) {
    const auto root = dav::read_xml(document);
    if (root) {
        require(!document.contains("<!DOCTYPE") || document.contains("<![CDATA[") ||
                document.contains("<!--") || document.contains("<?"));
        require(depth_of(**root) <= dav::XmlLimits{}.depth_max);
        check_rendering(**root);
    }
    read_body(dav::read_propfind, document);
    read_body(dav::read_proppatch, document);
    read_body(dav::read_lock, document);
}

/// RFC 4918 10.4.2, for fields of up to 200 bytes: a regular expression takes too long for others.
bool is_field(const std::string& text) {
    const std::string uri = R"(<[^<>" \t]+>)", space = R"([ \t]*)";
    const std::string condition =
        "(?:[nN][oO][tT]" + space + ")?(?:" + uri + R"(|\[(?:W/)?"[^"]*"\]))" + space;
    const std::string list = R"(\()" + space + "(?:" + condition + R"()+\))" + space;
    static const std::regex untagged{space + "(?:" + list + ")+"};
    static const std::regex tagged{space + "(?:" + uri + space + "(?:" + list + ")+)+"};
    return std::regex_match(text, untagged) || std::regex_match(text, tagged);
}

void check_field(std::string_view text) {
    const auto field = dav::IfField::parse(text);
    if (text.size() <= 200 && !text.contains('\n') && !text.contains('\r') && !text.contains('\0'))
        require(field.has_value() == is_field(std::string{text}));
    if (!field) return;
    std::size_t conditions = 0;
    for (const auto& list : field->lists()) conditions += list.conditions.size();
    require(conditions <= dav::IfField::conditions_max);
    require(field->tokens().size() <= conditions);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    if (input.text.starts_with('(') || input.text.starts_with("</"))
        check_field(input.text);
    else
        check_document(input.text);
}

}  // namespace weir::tests

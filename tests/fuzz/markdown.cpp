// Markdown becomes HTML that has only elements and attributes of Markdown, and no link or image whose scheme
// runs something. The input is the Markdown.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "fuzz/fuzz_input.h"
#include "markdown/text/safe_reference.h"
#include "weir/markdown/markdown.h"

namespace weir::tests {
namespace {

constexpr std::string_view omitted = "<!-- raw HTML omitted -->";
constexpr std::array<std::string_view, 31> elements{
    "a",     "blockquote", "br", "code",  "del",   "em", "h1",  "h2",      "h3",  "h4",     "h5",
    "h6",    "hr",         "i",  "img",   "input", "li", "ol",  "p",       "pre", "strong", "table",
    "tbody", "td",         "th", "thead", "tr",    "ul", "sup", "section", "div"};
constexpr std::array<std::string_view, 10> attributes{
    "align", "alt", "checked", "class", "disabled", "href", "src", "start", "title", "type"};

bool is_one_of(auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::string_view take_name(std::string_view& html) {
    const std::size_t end =
        std::min(html.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"), html.size());
    const std::string_view name = html.substr(0, end);
    html.remove_prefix(end);
    return name;
}

void take_attribute(std::string_view& html) {
    const std::string_view name = take_name(html);
    require(is_one_of(attributes, name));
    require(html.starts_with("=\""));
    html.remove_prefix(2);
    const std::size_t end = html.find('"');
    require(end != html.npos);
    const std::string_view value = html.substr(0, end);
    require(!value.contains('<'));
    // In an address, cmark writes & as &amp; and ' as &#x27;, and neither is part of a scheme.
    if (name == "href" || name == "src") require(markdown::is_safe_reference(value));
    html.remove_prefix(end + 1);
}

/// From behind "<" to behind ">".
void take_element(std::string_view& html) {
    if (html.starts_with('/')) html.remove_prefix(1);
    require(is_one_of(elements, take_name(html)));
    while (html.starts_with(' ') && !html.starts_with(" />")) {
        html.remove_prefix(1);
        take_attribute(html);
    }
    if (html.starts_with(" /")) html.remove_prefix(2);
    require(html.starts_with('>'));
    html.remove_prefix(1);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    static const auto renderer = markdown::Renderer::open();
    const ExactCopy text{input.text};
    const auto rendered = renderer->render(text.view(), 1 + input.choice % 6);
    if (!rendered) return;
    std::string_view html = rendered->html;
    for (std::size_t at; (at = html.find('<')) != html.npos;) {
        html.remove_prefix(at);
        if (html.starts_with(omitted)) {
            html.remove_prefix(omitted.size());
        } else {
            html.remove_prefix(1);
            take_element(html);
        }
    }
    require(!rendered->title.contains('\n'));
}

}  // namespace weir::tests

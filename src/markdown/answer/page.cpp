#include "markdown/answer/page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "http/answer/html.h"
#include "http/syntax/field_lines.h"
#include "site/page/listing_assets.h"
#include "weir/http/field_name.h"

namespace weir::markdown {

namespace {

/// The same head as that of a listing. The language of a document is not known, so there is no
/// "lang".
constexpr std::string_view page_head =
    "<!doctype html>\n<html>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

/// If a later weir makes another page of the same file, this number changes.
constexpr std::string_view tag_end = "-html1\"";

/// True for a field that describes the file and not its page.
bool is_of_file(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 8> names{
        "Accept-Ranges", "Content-Digest", "Content-Type", "Digest",
        "ETag",          "Last-Modified",  "Content-MD5",  "Repr-Digest"};
    return std::ranges::any_of(
        names, [&](std::string_view one) { return http::equals_ignoring_case(one, name); });
}

/// Adds the fields of the file, its Cache-Control and those of rules above all, and those of the
/// page.
void add_fields(http::Response& response, const http::Response& file, std::string_view tag) {
    bool has_cache_control = false;
    const auto take = [&](std::string_view, std::string_view name, std::string_view value) {
        if (is_of_file(name)) return;
        has_cache_control = has_cache_control || http::equals_ignoring_case(name, "Cache-Control");
        response.add(name, value);
    };
    http::for_each_line(file, take);
    if (!has_cache_control) response.add("Cache-Control", "no-cache");
    response.add("Vary", "Accept");
    if (!tag.empty()) response.add("ETag", tag);
    response.add("Content-Security-Policy", site::listing_policy);
    if (file.closes()) response.close();
}

}  // namespace

std::string page_of(const Rendered& rendered, std::string_view name) {
    std::string page{page_head};
    page.append("<style>").append(site::listing_style).append("</style>\n<title>");
    http::append_html(page, rendered.title.empty() ? name : rendered.title);
    page.append("</title>\n<main class=\"markdown\">\n").append(rendered.html);
    page += "</main>\n<p class=\"source\"><a href=\"?raw\">Source</a></p>\n</html>\n";
    return page;
}

std::string page_tag(std::string_view tag) {
    if (!tag.ends_with('"')) return {};
    tag.remove_suffix(1);
    return std::string{tag}.append(tag_end);
}

http::Response answer_with_page(const http::Response& file, std::string_view tag,
                                std::string page) {
    http::Response response;
    add_fields(response, file, tag);
    response.add("Content-Type", "text/html; charset=utf-8");
    response.content(std::move(page));
    return response;
}

http::Response answer_not_modified(const http::Response& file, std::string_view tag) {
    http::Response response{http::Status::not_modified};
    add_fields(response, file, tag);
    return response;
}

}  // namespace weir::markdown

#include "site/page/page_parts.h"

#include <array>
#include <ctime>

#include "http/answer/html.h"
#include "site/path/reference.h"
#include "site/path/shown_name.h"

namespace weir::site {

std::string readable_time(std::int64_t unix_seconds, const char* format) {
    const std::time_t time = unix_seconds;
    std::tm utc{};
    std::array<char, 64> text{};
    if (::gmtime_r(&time, &utc) == nullptr) return {};
    return {text.data(), std::strftime(text.data(), text.size(), format, &utc)};
}

std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, ",");
    return text;
}

void append_name(std::string& page, std::string_view name) {
    page += "<bdi>";
    http::append_html(page, shown_name(name));
    page += "</bdi>";
}

void begin_link(std::string& page, const Listing& listing, std::string_view path) {
    page += "<a href=\"";
    append_reference(page, listing.base, listing.path, path);
    page += "\">";
}

void append_link(std::string& page, const Listing& listing, std::string_view path,
                 std::string_view inner) {
    begin_link(page, listing, path);
    page.append(inner).append("</a>");
}

void append_icon(std::string& page, std::string_view icon) {
    page.append("<svg class=\"icon\" aria-hidden=\"true\"><use href=\"#").append(icon);
    page += "\"/></svg>";
}

void append_parent(std::string& page, const Listing& listing, std::string_view before,
                   std::string_view behind) {
    const std::string_view path = listing.path;
    if (path == "/") return;
    page += before;
    begin_link(page, listing, path.substr(0, path.rfind('/', path.size() - 2) + 1));
    append_icon(page, icon_of(EntryKind::folder));
    page.append("../ (parent folder)</a>").append(behind);
}

/// The first click sorts by the smallest name, the largest size or the latest time.
std::string sorting_reference(const ListingQuery& query, ListingOrder::By by) {
    using By = ListingOrder::By;
    const bool sorted = query.order.by == by;
    const bool descends = sorted ? !query.order.descending : by != By::name;
    std::string reference = "?";
    append_words(reference, query);
    reference += "sort=";
    reference += by == By::name ? "name" : by == By::size ? "size" : "time";
    reference += descends ? "&order=desc" : "&order=asc";
    if (query.grid) reference += "&view=grid";
    std::string escaped;
    http::append_html(escaped, reference);
    return escaped;
}

}  // namespace weir::site

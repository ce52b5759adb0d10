#include <array>
#include <charconv>
#include <ctime>

#include "base/readable_size.h"
#include "http/answer/html.h"
#include "site/listing/json.h"
#include "site/listing/listing.h"
#include "site/listing/listing_assets.h"
#include "site/listing/shown_name.h"
#include "site/path/reference.h"

namespace weir::site {

namespace {

constexpr std::string_view page_head =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string readable_time(std::int64_t unix_seconds, const char* format) {
    const std::time_t time = unix_seconds;
    std::tm utc{};
    std::array<char, 64> text{};
    if (::gmtime_r(&time, &utc) == nullptr) return {};
    return {text.data(), std::strftime(text.data(), text.size(), format, &utc)};
}

constexpr const char* machine_time = "%Y-%m-%dT%H:%M:%SZ";

/// A name that is written from right to left, or hides that it is, moves nothing around it.
void append_name(std::string& page, std::string_view name) {
    page += "<bdi>";
    http::append_html(page, shown_name(name));
    page += "</bdi>";
}

void begin_link(std::string& page, const Listing& listing, std::string_view path) {
    page += "<a href=\"";
    append_reference(page, listing.prefix, listing.path, path);
    page += "\">";
}

/// A link with words of the page itself.
void append_link(std::string& page, const Listing& listing, std::string_view path,
                 std::string_view words) {
    begin_link(page, listing, path);
    page.append(words).append("</a>");
}

void append_named_link(std::string& page, const Listing& listing, std::string_view path,
                       std::string_view name) {
    begin_link(page, listing, path);
    append_name(page, name);
    page += "</a>";
}

/// Appends a link for each directory above.
void append_trail(std::string& page, const Listing& listing) {
    const std::string& path = listing.path;
    append_link(page, listing, "/", "root");
    for (std::size_t begin = 1; begin < path.size();) {
        const std::size_t slash = path.find('/', begin);
        page += " / ";
        append_named_link(page, listing, path.substr(0, slash + 1),
                          path.substr(begin, slash - begin));
        begin = slash + 1;
    }
}

/// Appends a column heading that sorts when clicked. The first click sorts by the smallest name,
/// the largest size or the latest time.
void append_heading(std::string& page, ListingOrder order, ListingOrder::By by,
                    std::string_view parameter, std::string_view text) {
    const bool sorted = order.by == by;
    const bool descends = sorted ? !order.descending : by != ListingOrder::By::name;
    if (sorted)
        page.append(" aria-sort=\"").append(order.descending ? "descending\"" : "ascending\"");
    page.append("><a href=\"?sort=").append(parameter);
    page.append(descends ? "&amp;order=desc\">" : "&amp;order=asc\">");
    page.append(text).append("</a>");
}

void append_headings(std::string& page, ListingOrder order) {
    page += "<thead><tr><th scope=\"col\"";
    append_heading(page, order, ListingOrder::By::name, "name", "Name");
    page += "</th><th scope=\"col\" class=\"number\"";
    append_heading(page, order, ListingOrder::By::size, "size", "Size");
    page += "</th><th scope=\"col\" class=\"number time\"";
    append_heading(page, order, ListingOrder::By::time, "time", "Modified");
    page += "<span id=\"zone\"> (UTC)</span></th></tr></thead>\n";
}

void append_row_up(std::string& page, const Listing& listing) {
    if (listing.path == "/") return;
    page += "<tr class=\"up\"><td>";
    const std::size_t slash = listing.path.rfind('/', listing.path.size() - 2);
    append_link(page, listing, listing.path.substr(0, slash + 1), "../ (parent folder)");
    page += "</td><td></td><td></td></tr>\n";
}

std::string path_of(const Listing& listing, const ListingEntry& entry) {
    return listing.path + entry.name + (entry.is_directory ? "/" : "");
}

void append_row(std::string& page, const Listing& listing, const ListingEntry& entry) {
    page += "<tr><td>";
    append_named_link(page, listing, path_of(listing, entry),
                      entry.name + (entry.is_directory ? "/" : ""));
    if (entry.is_directory)
        page += "</td><td class=\"number\">";
    else
        page += "</td><td class=\"number\" title=\"" + number(entry.size) +
                (entry.size == 1 ? " byte\">" : " bytes\">") + readable_size(entry.size);
    page += "</td><td class=\"number time\"><time datetime=\"" +
            readable_time(entry.modified, machine_time) + "\">" +
            readable_time(entry.modified, "%Y-%m-%d %H:%M") + "</time></td></tr>\n";
}

std::string_view label_of(std::string_view relation) noexcept {
    if (relation == "first") return "First";
    if (relation == "prev") return "Previous";
    return relation == "next" ? "Next" : "Last";
}

/// Appends links to the other pages, if there are any.
void append_pages(std::string& page, const Listing& listing) {
    if (listing.pages == 1) return;
    page += "<nav class=\"pages\" aria-label=\"Pages\">";
    for_each_other_page(listing, [&](std::string_view relation, std::size_t number) {
        page.append("<a rel=\"").append(relation).append("\" href=\"");
        http::append_html(page, page_reference(listing.query, number));
        page.append("\">").append(label_of(relation)).append("</a> ");
    });
    page += "<span>Page " + number(listing.query.page.value_or(1)) + " of " +
            number(listing.pages) + "</span></nav>\n";
}

void append_table(std::string& page, const Listing& listing) {
    page += "<table>\n";
    append_headings(page, listing.query.order);
    page += "<tbody>\n";
    append_row_up(page, listing);
    for (const ListingEntry& entry : listing.entries) append_row(page, listing, entry);
    page += "</tbody>\n</table>\n";
    if (listing.entries.empty()) page += "<p>This folder is empty.</p>\n";
    append_pages(page, listing);
    if (listing.cut)
        page += "<p>This folder has more than " + number(listing.total) +
                " entries. The others are not shown.</p>\n";
}

/// Hidden until the script runs, because only the script can filter.
constexpr std::string_view filter_box =
    "<div class=\"filter\" role=\"search\" hidden><label for=\"filter\">Filter</label>"
    "<input id=\"filter\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\">"
    "<span id=\"shown\" role=\"status\"></span></div>\n";

void append_readme(std::string& page, const Listing& listing, const Readme& readme) {
    page += "<section aria-labelledby=\"readme\">\n<h2 id=\"readme\">";
    append_name(page, readme.name);
    page += "</h2>\n<pre>\n";  // HTML ignores a line break at the start of <pre>
    http::append_html(page, readme.text);
    page += "</pre>\n";
    if (readme.cut) {
        page += "<p>Only the first 64 KB are shown. ";
        append_link(page, listing, listing.path + readme.name, "Open the whole file");
        page += "</p>\n";
    }
    page += "</section>\n";
}

void append_json_pages(std::string& json, const Listing& listing) {
    json += ",\"total\":" + number(listing.total) +
            ",\"page\":" + number(listing.query.page.value_or(1)) +
            ",\"pages\":" + number(listing.pages);
    for_each_other_page(listing, [&](std::string_view relation, std::size_t page) {
        if (relation != "next") return;
        json += ",\"next\":";
        append_json(json, page_reference(listing.query, page));
    });
}

}  // namespace

std::string listing_as_html(const Listing& listing) {
    std::string page{page_head};
    page.append("<style>").append(listing_style).append("</style>\n<title>Index of ");
    http::append_html(page, shown_name(listing.path));
    page += "</title>\n<main>\n<h1>";
    append_trail(page, listing);
    page += "</h1>\n";
    if (!listing.entries.empty()) page += filter_box;
    append_table(page, listing);
    if (listing.readme) append_readme(page, listing, *listing.readme);
    page.append("</main>\n<script>").append(listing_script).append("</script>\n</html>\n");
    return page;
}

std::string listing_as_json(const Listing& listing) {
    std::string json = "{\"path\":";
    append_json(json, listing.path);
    json += ",\"complete\":";
    json += listing.cut || listing.pages > 1 ? "false" : "true";
    append_json_pages(json, listing);
    json += ",\"entries\":[";
    for (const ListingEntry& entry : listing.entries) {
        if (json.back() != '[') json += ',';
        json += "\n{\"name\":";
        append_json(json, entry.name);
        json += ",\"href\":\"";
        append_reference(json, listing.prefix, listing.path, path_of(listing, entry));
        json += entry.is_directory ? "\",\"type\":\"directory\"" : "\",\"type\":\"file\"";
        if (!entry.is_directory) json += ",\"size\":" + number(entry.size);
        json += ",\"modified\":\"" + readable_time(entry.modified, machine_time) + "\"}";
    }
    return json + "\n]}\n";
}

}  // namespace weir::site

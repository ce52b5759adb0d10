// The list of a listing's page: a table.

#include "base/readable_size.h"
#include "site/page/page_parts.h"

namespace weir::site {

namespace {

using By = ListingOrder::By;

/// Appends a column heading that sorts when clicked.
void append_heading(std::string& page, const ListingQuery& query, By by, std::string_view text) {
    if (query.order.by == by)
        page.append(" aria-sort=\"")
            .append(query.order.descending ? "descending\"" : "ascending\"");
    page.append("><a href=\"").append(sorting_reference(query, by)).append("\">");
    page.append(text).append("</a>");
}

void append_headings(std::string& page, const ListingQuery& query) {
    page += "<thead><tr><th scope=\"col\"";
    append_heading(page, query, By::name, "Name");
    page += "</th><th scope=\"col\" class=\"number\"";
    append_heading(page, query, By::size, "Size");
    page += "</th><th scope=\"col\" class=\"number time\"";
    append_heading(page, query, By::time, "Modified");
    page += "<span id=\"zone\"> (UTC)</span></th></tr></thead>\n";
}

void append_size(std::string& page, const ListingEntry& entry) {
    page += "<td class=\"number\"";
    if (!entry.is_directory)
        page += " title=\"" + std::to_string(entry.size) +
                (entry.size == 1 ? " byte\">" : " bytes\">") + readable_size(entry.size);
    else
        page += '>';
    page += "</td>";
}

void append_row(std::string& page, const Listing& listing, const ListingEntry& entry) {
    page += "<tr><td>";
    begin_link(page, listing, path_of(listing, entry));
    append_icon(page, icon_of(entry.kind));
    append_name(page, entry.name + (entry.is_directory ? "/" : ""));
    page += "</a></td>";
    append_size(page, entry);
    page += "<td class=\"number time\">";
    if (entry.modified)
        page += "<time datetime=\"" + readable_time(*entry.modified, machine_time) + "\">" +
                readable_time(*entry.modified, "%Y-%m-%d %H:%M") + "</time>";
    page += "</td></tr>\n";
}

}  // namespace

void append_list(std::string& page, const Listing& listing) {
    page += "<table>\n";
    append_headings(page, listing.query);
    page += "<tbody>\n";
    append_parent(page, listing, "<tr class=\"up\"><td>", "</td><td></td><td></td></tr>\n");
    for (const ListingEntry& entry : listing.entries) append_row(page, listing, entry);
    page += "</tbody>\n</table>\n";
}

}  // namespace weir::site

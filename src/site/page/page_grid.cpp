// The grid of a listing's page: pictures, and icons for the other entries. A browser loads a
// picture when it comes into view.

#include "base/readable_size.h"
#include "site/page/page_parts.h"
#include "site/path/reference.h"

namespace weir::site {

namespace {

using By = ListingOrder::By;

void append_order(std::string& page, const ListingQuery& query, By by, std::string_view text) {
    page.append(" <a href=\"").append(sorting_reference(query, by)).append("\"");
    if (query.order.by == by) page += " aria-current=\"true\"";
    page.append(">").append(text).append("</a>");
}

void append_picture(std::string& page, const Listing& listing, const ListingEntry& entry) {
    page += "<img src=\"";
    append_reference(page, listing.base, listing.path, path_of(listing, entry));
    page += "\" alt=\"\" loading=\"lazy\" decoding=\"async\">";
}

void append_tile(std::string& page, const Listing& listing, const ListingEntry& entry) {
    page += "<li>";
    begin_link(page, listing, path_of(listing, entry));
    if (entry.kind == EntryKind::picture)
        append_picture(page, listing, entry);
    else
        append_icon(page, icon_of(entry.kind));
    append_name(page, entry.name + (entry.is_directory ? "/" : ""));
    page += "</a>";
    if (!entry.is_directory) page += " <span>" + readable_size(entry.size) + "</span>";
    page += "</li>\n";
}

}  // namespace

void append_grid(std::string& page, const Listing& listing) {
    page += "<p class=\"orders\">Sorted by";
    append_order(page, listing.query, By::name, "name");
    append_order(page, listing.query, By::size, "size");
    append_order(page, listing.query, By::time, "time");
    page += "</p>\n<ul class=\"grid\">\n";
    append_parent(page, listing, "<li class=\"up\">", "</li>\n");
    for (const ListingEntry& entry : listing.entries) append_tile(page, listing, entry);
    page += "</ul>\n";
}

}  // namespace weir::site

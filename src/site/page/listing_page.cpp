#include "base/readable_size.h"
#include "http/answer/html.h"
#include "site/listing/listing.h"
#include "site/page/listing_assets.h"
#include "site/page/page_parts.h"
#include "site/path/shown_name.h"

namespace weir::site {

namespace {

/// Without a theme, the style follows the system.
void append_head(std::string& page, const Listing& listing) {
    const ListingTheme theme = listing.theme;
    const bool follows = theme == ListingTheme::system;
    const std::string_view name = theme == ListingTheme::dark ? "dark" : "light";
    page += "<!doctype html>\n<html lang=\"en\"";
    if (!follows) page.append(" data-theme=\"").append(name) += '"';
    page +=
        ">\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta name=\"color-scheme\" content=\"";
    page.append(follows ? "light dark" : name).append("\">\n<style>");
    page.append(listing_style).append("</style>\n");
    if (listing.uploads) page.append("<style>").append(upload_form_style).append("</style>\n");
}

void append_title(std::string& page, const Listing& listing) {
    page += "<title>";
    http::append_html(page, shown_name(listing.title.empty() ? "Index of" : listing.title));
    page += listing.title.empty() ? " " : ": ";
    http::append_html(page, shown_name(listing.path));
    page += "</title>\n";
}

/// A link to the root.
void append_home(std::string& page, const Listing& listing) {
    begin_link(page, listing, "/");
    listing.title.empty() ? void(page += "Home") : append_name(page, listing.title);
    page += "</a>";
}

/// Appends the name of the folder as the heading, and before it a link for each folder above.
void append_headline(std::string& page, const Listing& listing) {
    const std::string_view path = listing.path;
    if (path == "/") {
        page += "<h1>";
        append_home(page, listing);
        page += "</h1>\n";
        return;
    }
    page += "<nav class=\"trail\" aria-label=\"Folders\">";
    append_home(page, listing);
    std::size_t begin = 1;
    for (std::size_t slash; (slash = path.find('/', begin)) != path.size() - 1; begin = slash + 1) {
        page += " / ";
        begin_link(page, listing, path.substr(0, slash + 1));
        append_name(page, path.substr(begin, slash - begin));
        page += "</a>";
    }
    page += " /</nav>\n<h1>";
    begin_link(page, listing, path);
    append_name(page, path.substr(begin, path.size() - 1 - begin));
    page += "</a></h1>\n";
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return grouped(count).append(" ").append(count == 1 ? one : many);
}

/// "2 folders, 31 files, 4.2 MB". If the folder has several pages, the number of all entries comes
/// first, and their size if it is known.
void append_summary(std::string& page, const Listing& listing) {
    std::uint64_t folders = 0, files = 0, bytes = 0;
    for (const ListingEntry& entry : listing.entries) {
        ++(entry.is_directory ? folders : files);
        if (!entry.is_directory) bytes += entry.size;
    }
    page += "<p class=\"summary\">";
    if (listing.pages > 1) {
        page += counted(listing.total, "entry", "entries");
        if (listing.file_bytes) page += ", " + readable_size(*listing.file_bytes);
        page += "; on this page: ";
    }
    if (folders != 0) page += counted(folders, "folder", "folders");
    if (folders != 0 && files != 0) page += ", ";
    if (files != 0) page += counted(files, "file", "files") + ", " + readable_size(bytes);
    const bool is_search = !listing.query.words.empty();
    if (listing.entries.empty()) page += is_search ? "Nothing was found." : "This folder is empty.";
    page += "</p>\n";
}

/// Appends the search form with its present words, and a link from the results to the folder.
void append_search(std::string& page, const Listing& listing) {
    page +=
        "<form class=\"search\" role=\"search\"><label for=\"q\">Search here and below</label>"
        "<input id=\"q\" name=\"q\" type=\"search\" maxlength=\"200\" autocomplete=\"off\" "
        "spellcheck=\"false\" value=\"";
    http::append_html(page, listing.query.words);
    page += "\">";
    if (listing.query.grid) page += "<input type=\"hidden\" name=\"view\" value=\"grid\">";
    if (!listing.query.words.empty()) {
        page += " <span>";
        append_link(page, listing, listing.path, "Show the whole folder");
        page += "</span>";
    }
    page += "</form>\n";
}

/// Appends a note that the folder or the search has entries which the listing omits.
void append_cut(std::string& page, const Listing& listing) {
    if (listing.query.words.empty())
        page += "<p>This folder has more than " + grouped(listing.total) +
                " entries. The others are not shown.</p>\n";
    else
        page += "<p>There may be more. The search has ended early.</p>\n";
}

/// The filter is hidden until the script runs, because only the script can filter.
void append_tools(std::string& page, const Listing& listing) {
    page +=
        "<div class=\"tools\"><div class=\"filter\" role=\"search\" hidden><label for=\"filter\">";
    page += listing.pages > 1 ? "Filter this page" : "Filter";
    constexpr std::string_view filter =
        "</label>"
        "<input id=\"filter\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
        "placeholder=\"press /\"><span id=\"shown\" role=\"status\"></span></div>\n"
        "<nav class=\"views\" aria-label=\"View\">";
    page += filter;
    ListingQuery query = listing.query;
    for (const bool grid : {false, true}) {
        query.grid = grid;
        page += "<a href=\"";
        http::append_html(page, page_reference(query, listing.query.page.value_or(1)));
        page += listing.query.grid == grid ? "\" aria-current=\"true\">" : "\">";
        page += grid ? "Grid</a>" : "List</a> ";
    }
    page += "</nav></div>\n";
}

void append_archives(std::string& page) {
    page +=
        "<p>Download this folder: <a href=\"?archive=zip\">zip</a> <a "
        "href=\"?archive=tar.gz\">tar.gz</a></p>\n";
}

/// A browser without scripts sends the form, and comes back to the folder.
void append_uploads(std::string& page) {
    page +=
        "<form id=\"uploads\" method=\"post\" enctype=\"multipart/form-data\">"
        "<label for=\"files\">Put files here</label>"
        "<input id=\"files\" type=\"file\" name=\"file\" multiple required>"
        "<button>Upload</button><progress max=\"1\" value=\"0\" aria-label=\"Progress\" "
        "hidden></progress><output></output></form>\n";
}

std::string_view label_of(std::string_view relation) noexcept {
    if (relation == "first") return "First";
    if (relation == "prev") return "Previous";
    return relation == "next" ? "Next" : "Last";
}

/// Appends links to the other pages, if there are any.
void append_pages(std::string& page, const Listing& listing, std::string_view label) {
    if (listing.pages == 1) return;
    page.append("<nav class=\"pages\" aria-label=\"").append(label).append("\">");
    for_each_other_page(listing, [&](std::string_view relation, std::size_t number) {
        page.append("<a rel=\"").append(relation).append("\" href=\"");
        http::append_html(page, page_reference(listing.query, number));
        page.append("\">").append(label_of(relation)).append("</a> ");
    });
    page += "<span>Page " + grouped(listing.query.page.value_or(1)) + " of " +
            grouped(listing.pages) + "</span></nav>\n";
}

void append_readme(std::string& page, const Listing& listing, const Readme& readme) {
    page += "<section aria-labelledby=\"readme\">\n<h2 id=\"readme\">";
    append_name(page, readme.name);
    page += "</h2>\n";
    if (readme.html) {
        page.append("<div class=\"markdown\">\n").append(*readme.html).append("</div>\n");
    } else {
        page += "<pre>\n";  // HTML ignores a line break at the start of <pre>
        http::append_html(page, readme.text);
        page += "</pre>\n";
    }
    if (readme.cut) {
        page += "<p>Only the first 64 KB are shown. ";
        append_link(page, listing, listing.path + readme.name, "Open the whole file");
        page += "</p>\n";
    }
    page += "</section>\n";
}

}  // namespace

std::string listing_as_html(const Listing& listing) {
    std::string page;
    append_head(page, listing);
    append_title(page, listing);
    page.append(listing_icons).append("<main>\n");
    append_headline(page, listing);
    append_summary(page, listing);
    if (listing.searches) append_search(page, listing);
    if (!listing.entries.empty()) append_tools(page, listing);
    append_pages(page, listing, "Pages");
    listing.query.grid ? append_grid(page, listing) : append_list(page, listing);
    append_pages(page, listing, "Pages, again");
    if (listing.cut) append_cut(page, listing);
    const bool is_search = !listing.query.words.empty();
    if (listing.archives && !listing.entries.empty() && !is_search) append_archives(page);
    if (listing.uploads) append_uploads(page);
    if (listing.readme) append_readme(page, listing, *listing.readme);
    page.append("</main>\n<script>").append(listing_script).append("</script>\n");
    if (listing.uploads) page.append("<script>").append(upload_form_script).append("</script>\n");
    return page.append("</html>\n");
}

}  // namespace weir::site

// Whatever bytes the names in a directory have: the page has the same tags, and page and JSON give
// back each name and a link that leads to it. The first line is the query; a slash ends each name. The
// names are the text of the readme, too.

#include "site/listing/listing.h"

#include <algorithm>
#include <vector>

#include "fuzz/fuzz_input.h"
#include "fuzz/plain/json.h"
#include "fuzz/plain/path.h"
#include "fuzz/plain/text.h"
#include "site/path/target_path.h"

namespace weir::tests {
namespace {

using site::Listing;
using site::ListingEntry;
using site::ListingOrder;

ListingOrder plain_order(std::string_view query) {
    ListingOrder order;
    for (const std::string& each : plain::split(query, '&')) {
        if (each == "sort=name") order.by = ListingOrder::By::name;
        if (each == "sort=size") order.by = ListingOrder::By::size;
        if (each == "sort=time") order.by = ListingOrder::By::time;
        if (each == "order=asc" || each == "order=desc") order.descending = each == "order=desc";
    }
    return order;
}

/// The names in a directory, as any file system would allow them.
std::vector<std::string> names_of(std::string_view text) {
    std::vector<std::string> names = plain::split(text, '/');
    for (std::string& name : names) std::erase(name, '\0');
    std::erase_if(
        names, [](const std::string& name) { return name.empty() || name == "." || name == ".."; });
    return names;
}

Listing listing_of(std::string_view query, std::vector<std::string> names, bool plain) {
    Listing listing{.path = "/", .query = site::listing_query_from(query)};
    if (!names.empty()) listing.path = "/" + (plain ? std::string{"x"} : names[0]) + "/";
    for (std::size_t i = 0; i < names.size(); ++i)
        listing.entries.push_back({.name = plain ? "x" : names[i],
                                   .is_directory = names[i].size() % 3 == 0,
                                   .size = names[i].size() * 1000 * i,
                                   .modified = static_cast<std::int64_t>(i % 4) << 30u});
    return listing;
}

/// As a file of these bytes would be shown: a readme is UTF-8 without NUL.
void add_readme(Listing& listing, std::string_view text, bool plain) {
    if (text.contains('\0') || !plain::is_utf8(text)) return;
    listing.readme = {.name = plain || listing.entries.empty() ? "x" : listing.entries[0].name,
                      .text = plain ? "x" : std::string{text},
                      .cut = text.size() % 2 == 1};
}

/// What stands between two texts, from `from` on; moves behind it.
std::string_view take_between(std::string_view& from, std::string_view begin,
                              std::string_view end) {
    const std::size_t first = from.find(begin);
    require(first != from.npos);
    from.remove_prefix(first + begin.size());
    const std::size_t size = from.find(end);
    require(size != from.npos);
    const std::string_view between = from.substr(0, size);
    from.remove_prefix(size + end.size());
    return between;
}

void check_link(const ListingEntry& entry, const std::string& href) {
    require(href.starts_with("./"));
    const plain::Path led = plain::read_path(href.substr(1));
    require(led.refusal == 0 && led.text() == "/" + entry.name + (entry.is_directory ? "/" : ""));
}

/// What is written out in a name leads back to it, and nothing is left that moves or hides.
void check_shown(std::string_view html, const std::string& name) {
    const std::string shown = plain::html_unescaped(html);
    require(plain::is_utf8(shown) &&
            plain::resolved_escapes(shown) == plain::resolved_escapes(name));
    require(std::ranges::none_of(shown, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }));
    for (const std::string_view moves : {"\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067",
                                         "\u2068", "\u200e", "\u200f", "\u061c", "\u200b"})
        require(!shown.contains(moves));
}

void check_page(const Listing& listing, const Listing& harmless) {
    const std::string page = site::listing_as_html(listing);
    require(plain::html_skeleton(page) == plain::html_skeleton(site::listing_as_html(harmless)));
    std::string_view rest = page;
    check_shown(take_between(rest, "<title>Index of ", "</title>"), listing.path);
    (void)take_between(rest, "<tbody>", "\n");
    if (listing.path != "/") (void)take_between(rest, "<tr class=\"up\">", "</tr>");
    for (const ListingEntry& entry : listing.entries) {
        const auto href = take_between(rest, "<a href=\"", "\">");
        check_link(entry, plain::html_unescaped(href));
        check_shown(take_between(rest, "<bdi>", "</bdi>"),
                    entry.name + (entry.is_directory ? "/" : ""));
    }
    if (!listing.readme) return;
    const auto text = take_between(rest, "<pre>\n", "</pre>");
    require(plain::html_unescaped(text) == listing.readme->text);
}

void check_json(const Listing& listing) {
    const auto json = plain::read_json(site::listing_as_json(listing));
    require(json && json->find("path")->text == plain::as_utf8(listing.path));
    const auto& entries = json->find("entries")->values;
    require(entries.size() == listing.entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const plain::Json& shown = entries[i];
        const ListingEntry& entry = listing.entries[i];
        require(shown.find("name")->text == plain::as_utf8(entry.name));
        check_link(entry, shown.find("href")->text);
        require((shown.find("type")->text == "directory") == entry.is_directory);
        if (!entry.is_directory) require(shown.find("size")->text == std::to_string(entry.size));
    }
}

/// The natural order is a strict weak order (std::sort may do anything with another).
void check_natural_order(const std::vector<std::string>& names) {
    const auto before = [](const std::string& left, const std::string& right) {
        return site::comes_before_naturally(left, right);
    };
    for (const std::string& a : names)
        for (const std::string& b : names) {
            require((a == b) == (!before(a, b) && !before(b, a)));
            require(!before(a, b) || !before(b, a));
            for (const std::string& c : names)
                require(!before(a, b) || !before(b, c) || before(a, c));
        }
}

void check_sorting(Listing listing) {
    const ListingOrder order = listing.query.order;
    const auto key = [&](const ListingEntry& entry) {
        const bool by_size = order.by == ListingOrder::By::size;
        return site::SortKey{
            .name = entry.name,
            .is_directory = entry.is_directory,
            .value = by_size ? static_cast<std::int64_t>(entry.size) : entry.modified.value_or(0)};
    };
    std::ranges::sort(listing.entries, [&](const ListingEntry& left, const ListingEntry& right) {
        return site::comes_before(key(left), key(right), order);
    });
    const auto& entries = listing.entries;
    require(std::ranges::is_partitioned(entries, &ListingEntry::is_directory));
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const ListingEntry &left = entries[i - 1], &right = entries[i];
        if (left.is_directory != right.is_directory) continue;
        const bool by_size = order.by == ListingOrder::By::size && !left.is_directory;
        const bool by_time = order.by == ListingOrder::By::time;
        const bool swaps = order.descending;
        if (by_size) require(swaps ? left.size >= right.size : left.size <= right.size);
        if (by_time)
            require(swaps ? left.modified >= right.modified : left.modified <= right.modified);
    }
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string_view query = take_line(text);
    require(site::listing_query_from(query).order == plain_order(query));
    const std::vector<std::string> names = names_of(text);
    Listing listing = listing_of(query, names, false);
    Listing harmless = listing_of(query, names, true);
    add_readme(listing, text, false);
    add_readme(harmless, text, true);
    check_page(listing, harmless);
    check_json(listing);
    check_natural_order(
        {names.begin(),
         names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(6, names.size()))});
    check_sorting(listing);
}

}  // namespace weir::tests

#include <array>
#include <charconv>
#include <ctime>

#include "site/escape.h"
#include "site/listing.h"
#include "site/target_path.h"

namespace weir::site {

namespace {

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>
:root { --text: #1c2b33; --dim: #5a6b75; --line: #d9e1e6; --hover: #eef4f7; --link: #0a5c8a; --page: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dbe5ea; --dim: #93a4ae; --line: #2c3a43; --hover: #1d2a32; --link: #6cc1f0; --page: #121a1f; }
}
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.35rem; font-weight: 600; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .85rem; font-weight: 600; color: var(--dim); }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
td:first-child { overflow-wrap: anywhere; }
td:first-child a { display: block; }
.number { width: 1%; padding-left: 2rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.number, p { color: var(--dim); }
tbody tr:hover, tbody tr:focus-within { background: var(--hover); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
@media (max-width: 36rem) { th:last-child, td:last-child { display: none; } }
</style>
)";

std::string number(std::uint64_t value) { return std::to_string(value); }

/// "734 B", "1.2 KB", "37 MB": two digits at least, in powers of 1,000 as disks are sold.
std::string readable_size(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 7> units = {" B",  " KB", " MB", " GB",
                                                       " TB", " PB", " EB"};
    std::uint64_t tenths = 0;  // of the next smaller unit
    std::size_t unit = 0;
    for (; bytes >= 1000; ++unit) {
        tenths = bytes % 1000 / 100;
        bytes /= 1000;
    }
    std::string text = number(bytes);
    if (unit > 0 && bytes < 10) text += "." + number(tenths);
    return text.append(units[unit]);
}

std::string readable_time(std::int64_t unix_seconds, const char* format) {
    const std::time_t time = unix_seconds;
    std::tm utc{};
    std::array<char, 64> text{};
    if (::gmtime_r(&time, &utc) == nullptr) return {};
    return {text.data(), std::strftime(text.data(), text.size(), format, &utc)};
}

constexpr const char* machine_time = "%Y-%m-%dT%H:%M:%SZ";

void append_link(std::string& page, std::string_view path, std::string_view text) {
    page += "<a href=\"";
    append_encoded(page, path);
    page += "\">";
    append_html(page, text);
    page += "</a>";
}

/// Each directory above as a link of its own.
void append_trail(std::string& page, std::string_view path) {
    append_link(page, "/", "root");
    for (std::size_t begin = 1; begin < path.size();) {
        const std::size_t slash = path.find('/', begin);
        page += " / ";
        append_link(page, path.substr(0, slash + 1), path.substr(begin, slash - begin));
        begin = slash + 1;
    }
}

std::string href_of(const Listing& listing, const ListingEntry& entry) {
    return listing.path + entry.name + (entry.is_directory ? "/" : "");
}

void append_row(std::string& page, const Listing& listing, const ListingEntry& entry) {
    page += "<tr><td>";
    append_link(page, href_of(listing, entry), entry.name + (entry.is_directory ? "/" : ""));
    if (entry.is_directory)
        page += "</td><td class=\"number\">";
    else
        page += "</td><td class=\"number\" title=\"" + number(entry.size) + " bytes\">" +
                readable_size(entry.size);
    page += "</td><td class=\"number\"><time datetime=\"" +
            readable_time(entry.modified, machine_time) + "\">" +
            readable_time(entry.modified, "%Y-%m-%d %H:%M") + "</time></td></tr>\n";
}

}  // namespace

std::string listing_as_html(const Listing& listing) {
    std::string page{page_head};
    page += "<title>Index of ";
    append_html(page, listing.path);
    page += "</title>\n<main>\n<h1>";
    append_trail(page, listing.path);
    page +=
        "</h1>\n<table>\n<thead><tr><th scope=\"col\">Name</th>"
        "<th scope=\"col\" class=\"number\">Size</th>"
        "<th scope=\"col\" class=\"number\">Modified (UTC)</th></tr></thead>\n<tbody>\n";
    for (const ListingEntry& entry : listing.entries) append_row(page, listing, entry);
    page += "</tbody>\n</table>\n";
    if (listing.entries.empty()) page += "<p>Nothing is here.</p>\n";
    if (listing.cut)
        page += "<p>There are more; " + number(listing.entries.size()) + " are shown.</p>\n";
    return page + "</main>\n</html>\n";
}

std::string listing_as_json(const Listing& listing) {
    std::string json = "{\"path\":";
    append_json(json, listing.path);
    json += ",\"complete\":";
    json += listing.cut ? "false" : "true";
    json += ",\"entries\":[";
    for (const ListingEntry& entry : listing.entries) {
        if (json.back() != '[') json += ',';
        json += "\n{\"name\":";
        append_json(json, entry.name);
        json += ",\"href\":\"";
        append_encoded(json, href_of(listing, entry));
        json += entry.is_directory ? "\",\"type\":\"directory\"" : "\",\"type\":\"file\"";
        if (!entry.is_directory) json += ",\"size\":" + number(entry.size);
        json += ",\"modified\":\"" + readable_time(entry.modified, machine_time) + "\"}";
    }
    return json + "\n]}\n";
}

}  // namespace weir::site

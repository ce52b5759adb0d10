#include "site/listing/listing.h"
#include "site/page/json.h"
#include "site/page/page_parts.h"
#include "site/path/reference.h"

namespace weir::site {

namespace {

void append_json_pages(std::string& json, const Listing& listing) {
    json += ",\"total\":" + std::to_string(listing.total) +
            ",\"page\":" + std::to_string(listing.query.page.value_or(1)) +
            ",\"pages\":" + std::to_string(listing.pages);
    for_each_other_page(listing, [&](std::string_view relation, std::size_t page) {
        if (relation != "next") return;
        json += ",\"next\":";
        append_json(json, page_reference(listing.query, page));
    });
}

}  // namespace

std::string listing_as_json(const Listing& listing) {
    std::string json = "{\"path\":";
    append_json(json, listing.below + listing.path);
    if (!listing.query.words.empty()) append_json(json += ",\"query\":", listing.query.words);
    json += ",\"complete\":";
    json += listing.cut || listing.pages > 1 ? "false" : "true";
    append_json_pages(json, listing);
    json += ",\"entries\":[";
    for (const ListingEntry& entry : listing.entries) {
        if (json.back() != '[') json += ',';
        json += "\n{\"name\":";
        append_json(json, entry.name);
        json += ",\"href\":\"";
        append_reference(json, listing.base, listing.path, path_of(listing, entry));
        json += entry.is_directory ? "\",\"type\":\"directory\"" : "\",\"type\":\"file\"";
        if (!entry.is_directory) json += ",\"size\":" + std::to_string(entry.size);
        json += ",\"modified\":";
        json +=
            entry.modified ? '"' + readable_time(*entry.modified, machine_time) + "\"}" : "null}";
    }
    return json + "\n]}\n";
}

}  // namespace weir::site

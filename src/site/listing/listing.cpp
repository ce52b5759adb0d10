#include "site/listing/listing.h"

#include <algorithm>

#include "base/file_date.h"
#include "http/answer/preference.h"
#include "site/listing/folder_source.h"
#include "site/path/paths.h"

namespace weir::site {

std::size_t pages_of(const Folder& folder, std::size_t entries_max) noexcept {
    return std::max<std::size_t>((folder.size() + entries_max - 1) / entries_max, 1);
}

std::expected<Listing, std::error_code> read_page(const RootDirectory& root,
                                                  const std::string& directory,
                                                  const Folder& folder, const ListingQuery& query,
                                                  std::size_t entries_max,
                                                  const MediaTypes& media_types) {
    Listing listing{.path = directory.empty() ? "/" : "/" + directory + "/",
                    .query = query,
                    .pages = pages_of(folder, entries_max),
                    .file_bytes = folder.file_bytes(),
                    .cut = folder.is_cut()};
    const std::size_t begin = (query.page.value_or(1) - 1) * entries_max;
    const std::size_t end = std::min(begin + entries_max, folder.size());
    for (std::size_t i = begin; i < end; ++i) {
        const std::string_view name = folder.at(i).text;
        const auto state = look_at_entry(root, joined(directory, name));
        if (!state) return std::unexpected{state.error()};
        if (!*state) continue;  // deleted since the folder was read
        ListingEntry& entry = listing.entries.emplace_back();
        entry.name = name;
        entry.is_directory = (*state)->kind == FileKind::directory;
        entry.kind = entry.is_directory ? EntryKind::folder
                                        : kind_of(media_types.of(path_of(listing, entry)));
        entry.size = (*state)->size;
        if (is_date_of_file((*state)->modified.seconds))
            entry.modified = (*state)->modified.seconds;
    }
    listing.total = listing.pages == 1 ? listing.entries.size() : folder.size();
    return listing;
}

std::string path_of(const Listing& listing, const ListingEntry& entry) {
    return listing.path + entry.name + (entry.is_directory ? "/" : "");
}

std::string links_of(const Listing& listing) {
    std::string links;
    for_each_other_page(listing, [&](std::string_view relation, std::size_t page) {
        if (!links.empty()) links += ", ";
        links.append("<").append(page_reference(listing.query, page)).append(">; rel=\"");
        links.append(relation).append("\"");
    });
    return links;
}

bool prefers_json(const http::Request& request) {
    return http::media_type_weight(request, "application/json") >
           http::media_type_weight(request, "text/html");
}

}  // namespace weir::site

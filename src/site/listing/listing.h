#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "site/listing/entry_kind.h"
#include "site/listing/folder.h"
#include "site/listing/listing_query.h"
#include "site/listing/listing_readme.h"
#include "site/path/reference.h"
#include "site/root/root_directory.h"
#include "site/types/media_types.h"
#include "weir/http/request.h"
#include "weir/site/site.h"

namespace weir::site {

struct ListingEntry {
    std::string name;
    bool is_directory = false;
    EntryKind kind = EntryKind::file;
    std::uint64_t size = 0;
    std::optional<std::int64_t> modified{};  // Unix seconds; null if is_date_of_file() rejects it
};

/// A page of the entries of a directory that a client can fetch.
struct Listing {
    std::string path;  // starts and ends with "/"
    ListingQuery query{};
    std::vector<ListingEntry> entries{};
    std::size_t pages = 1;
    std::size_t total = 0;                      // of all pages
    std::optional<std::uint64_t> file_bytes{};  // of all pages; nothing if it is not known
    bool cut = false;                           // the directory has more entries
    std::optional<Readme> readme{};
    bool archives = false;  // see Options
    bool searches = false;  // see Options
    bool uploads = false;   // the page has a form for files
    std::string_view title{};
    ListingTheme theme = ListingTheme::system;
    Base base{};          // of the links
    std::string below{};  // the path that stands before `path` in the address; empty: none
};

/// The number of pages, at least 1.
std::size_t pages_of(const Folder& folder, std::size_t entries_max) noexcept;

/// Examines the entries of the page that the query names, which must be one of the folder's. The
/// caller adds the readme and the settings of Options.
std::expected<Listing, std::error_code> read_page(const RootDirectory& root,
                                                  const std::string& directory,
                                                  const Folder& folder, const ListingQuery& query,
                                                  std::size_t entries_max,
                                                  const MediaTypes& media_types);

/// The path of an entry; that of a directory ends with a slash.
std::string path_of(const Listing& listing, const ListingEntry& entry);

/// Calls `visit(relation, page)` for each page that the listing leads to: "first", "prev", "next",
/// "last" (RFC 8288 and the IANA registry of link relations).
template <typename Visit>
void for_each_other_page(const Listing& listing, Visit visit) {
    const std::size_t page = listing.query.page.value_or(1);
    if (page > 1) {
        visit("first", std::size_t{1});
        visit("prev", page - 1);
    }
    if (page < listing.pages) {
        visit("next", page + 1);
        visit("last", listing.pages);
    }
}

/// The value of Link (RFC 8288) that leads to the other pages; empty if there are none.
std::string links_of(const Listing& listing);
std::string listing_as_html(const Listing& listing);
std::string listing_as_json(const Listing& listing);

/// True if Accept (RFC 9110 12.5.1) prefers application/json to text/html.
bool prefers_json(const http::Request& request);

}  // namespace weir::site

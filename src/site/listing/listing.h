#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "site/files/root_directory.h"
#include "site/listing/listing_order.h"
#include "site/listing/listing_readme.h"
#include "site/path/reference.h"
#include "weir/http/request.h"

namespace weir::site {

struct ListingEntry {
    std::string name;
    bool is_directory = false;
    std::uint64_t size = 0;
    std::int64_t modified = 0;  // Unix seconds
};

/// The entries of a directory that a client can fetch.
struct Listing {
    std::string path;  // starts and ends with "/"
    ListingOrder order{};
    std::vector<ListingEntry> entries{};
    bool cut = false;  // the directory has more entries
    std::optional<Readme> readme{};
    Prefix prefix{};  // of its links
};

/// Reads all but the readme.
std::expected<Listing, std::error_code> read_listing(const RootDirectory& root,
                                                     const std::string& directory, bool dotfiles,
                                                     std::size_t entries_max,
                                                     ListingOrder order = {});

std::string listing_as_html(const Listing& listing);
std::string listing_as_json(const Listing& listing);

/// True if Accept (RFC 9110 12.5.1) prefers application/json to text/html.
bool prefers_json(const http::Request& request);

}  // namespace weir::site

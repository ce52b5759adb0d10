#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "site/listing/listing.h"

namespace weir::site {

// Parts that the list and the grid of a listing's page share. The JSON uses some of them.

inline constexpr const char* machine_time = "%Y-%m-%dT%H:%M:%SZ";

/// In UTC; empty if there is no such time.
std::string readable_time(std::int64_t unix_seconds, const char* format);

/// "10,500".
std::string grouped(std::uint64_t value);

/// Appends the name in <bdi>, so that a name from right to left does not reorder the text around
/// it.
void append_name(std::string& page, std::string_view name);

/// "<a href=...>"
void begin_link(std::string& page, const Listing& listing, std::string_view path);

/// `inner` is HTML.
void append_link(std::string& page, const Listing& listing, std::string_view path,
                 std::string_view inner);

void append_icon(std::string& page, std::string_view icon);

/// Appends a link to the folder above, between `before` and `behind`; nothing for the root.
void append_parent(std::string& page, const Listing& listing, std::string_view before,
                   std::string_view behind);

/// The query that sorts by `by`: "?sort=size&amp;order=desc".
std::string sorting_reference(const ListingQuery& query, ListingOrder::By by);

void append_list(std::string& page, const Listing& listing);
void append_grid(std::string& page, const Listing& listing);

}  // namespace weir::site

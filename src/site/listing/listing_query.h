#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "site/listing/listing_order.h"

namespace weir::site {

/// Which part of a listing is asked for, and how.
struct ListingQuery {
    ListingOrder order{};
    bool grid = false;                    // of pictures, and not a list
    std::optional<std::size_t> page = 1;  // from 1; nothing: no page can have this number
    std::string words{};                  // that are searched for; empty: nothing is

    bool operator==(const ListingQuery&) const = default;
};

/// Parses a query, for example "sort=size&order=desc&page=2". It ignores unknown parameters and
/// orders. If a parameter is repeated, the last one wins.
ListingQuery listing_query_from(std::string_view query);

/// Appends what a reference has of the words: "q=a%20b&".
void append_words(std::string& reference, const ListingQuery& query);

/// The reference (RFC 3986 4.1) from a listing to another page of it: "?sort=size&page=2".
std::string page_reference(const ListingQuery& query, std::size_t page);

}  // namespace weir::site

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "site/listing/listing_order.h"

namespace weir::site {

/// The part of a listing that a client asks for, and its form.
struct ListingQuery {
    ListingOrder order{};
    bool grid = false;                    // a grid of pictures, not a list
    std::optional<std::size_t> page = 1;  // from 1; null: a number that no page can have
    std::string words{};                  // of a search; empty: no search

    bool operator==(const ListingQuery&) const = default;
};

/// Parses a query, for example "sort=size&order=desc&page=2". Unknown parameters and orders are
/// ignored. If a parameter is repeated, the last one wins.
ListingQuery listing_query_from(std::string_view query);

/// Appends the parameter of the words to a reference: "q=a%20b&". Appends nothing if there are
/// none.
void append_words(std::string& reference, const ListingQuery& query);

/// The reference (RFC 3986 4.1) from a listing to another page of it: "?sort=size&page=2".
std::string page_reference(const ListingQuery& query, std::size_t page);

}  // namespace weir::site

#include "site/listing/listing_query.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::site {
namespace {

using By = ListingOrder::By;

ListingOrder order_from(std::string_view query) { return listing_query_from(query).order; }

TEST(ListingQuery, HasTheOrder) {
    EXPECT_EQ(order_from(""), ListingOrder{});
    EXPECT_EQ(order_from("sort=size"), (ListingOrder{By::size, false}));
    EXPECT_EQ(order_from("order=desc&sort=time"), (ListingOrder{By::time, true}));
    EXPECT_EQ(order_from("x=1&sort=size&sort=name&order=desc&order=asc"),
              (ListingOrder{By::name, false}));
    for (const char* const nonsense :
         {"sort", "sort=", "sort=SIZE", "&&&", "sort=size2", "xsort=size", "order=down", "?"})
        EXPECT_EQ(listing_query_from(nonsense), ListingQuery{}) << nonsense;
}

TEST(ListingQuery, HasThePage) {
    EXPECT_EQ(listing_query_from("").page, 1u);
    EXPECT_EQ(listing_query_from("sort=size&page=12").page, 12u);
    EXPECT_EQ(listing_query_from("page=2&page=3").page, 3u);
    EXPECT_EQ(listing_query_from("xpage=2").page, 1u);
    for (const char* const none : {"page=", "page=0", "page=-1", "page=x", "page=1x", "page=+1",
                                   "page=99999999999999999999", "page=%31"})
        EXPECT_EQ(listing_query_from(none).page, std::nullopt) << none;
}

TEST(ListingQuery, HasTheView) {
    EXPECT_FALSE(listing_query_from("").grid);
    EXPECT_TRUE(listing_query_from("page=2&view=grid").grid);
    EXPECT_FALSE(listing_query_from("view=grid&view=list").grid);
    EXPECT_FALSE(listing_query_from("view=other").grid);
}

TEST(ListingQuery, IsKeptOnTheWayToAnotherPage) {
    EXPECT_EQ(page_reference({}, 2), "?page=2");
    for (const ListingQuery& query :
         std::vector<ListingQuery>{{.order = {By::time, true}},
                                   {.order = {By::size, false}},
                                   {.order = {By::name, true}, .grid = true}}) {
        const std::string reference = page_reference(query, 7);
        EXPECT_EQ(listing_query_from(reference.substr(1)),
                  (ListingQuery{.order = query.order, .grid = query.grid, .page = 7}))
            << reference;
    }
}

}  // namespace
}  // namespace weir::site

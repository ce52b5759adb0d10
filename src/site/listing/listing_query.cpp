#include "site/listing/listing_query.h"

#include <algorithm>
#include <charconv>

#include "base/form_decoded.h"

namespace weir::site {

namespace {

using By = ListingOrder::By;

std::optional<std::size_t> page_from(std::string_view text) noexcept {
    std::size_t page = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, page);
    if (error != std::errc{} || stopped != end || page == 0) return std::nullopt;
    return page;
}

void read_parameter(std::string_view parameter, ListingQuery& query) {
    constexpr std::string_view page = "page=";
    constexpr std::string_view words = "q=";
    ListingOrder& order = query.order;
    if (parameter == "sort=name") order.by = By::name;
    if (parameter == "sort=size") order.by = By::size;
    if (parameter == "sort=time") order.by = By::time;
    if (parameter == "order=asc") order.descending = false;
    if (parameter == "order=desc") order.descending = true;
    if (parameter == "view=list") query.grid = false;
    if (parameter == "view=grid") query.grid = true;
    if (parameter.starts_with(words)) query.words = form_decoded(parameter.substr(words.size()));
    if (parameter.starts_with(page)) query.page = page_from(parameter.substr(page.size()));
}

std::string_view parameter_of(By by) noexcept {
    switch (by) {
        case By::size: return "sort=size&";
        case By::time: return "sort=time&";
        case By::name: break;
    }
    return {};
}

}  // namespace

ListingQuery listing_query_from(std::string_view text) {
    ListingQuery query;
    for_each_parameter(text, [&](std::string_view one) { read_parameter(one, query); });
    return query;
}

void append_words(std::string& reference, const ListingQuery& query) {
    if (query.words.empty()) return;
    append_form_encoded(reference += "q=", query.words);
    reference += '&';
}

std::string page_reference(const ListingQuery& query, std::size_t page) {
    std::string reference = "?";
    append_words(reference, query);
    reference.append(parameter_of(query.order.by));
    if (query.order.descending) reference += "order=desc&";
    if (query.grid) reference += "view=grid&";
    return reference.append("page=").append(std::to_string(page));
}

}  // namespace weir::site

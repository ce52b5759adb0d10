#include "site/search/search.h"

#include <utility>

#include "site/path/target_path.h"
#include "site/search/found_names.h"

namespace weir::site {
namespace {

constexpr std::size_t found_max = 10'000;
/// A folder that is entered costs as much as ten names.
constexpr std::size_t names_per_piece = 128;

}  // namespace

ListingQuery query_of(const http::Request& request, const Options& options) {
    ListingQuery query = listing_query_from(request.query());
    if (!options.listing_search || Words{query.words}.empty()) query.words.clear();
    return query;
}

ListingTask search_for(const ListingQuery& query, const http::Request& request,
                       const Options& options, ListingDesk& desk,
                       std::shared_ptr<const RootDirectory> root, std::string directory) {
    auto asked = decoded_path(request.asked_path()).value_or(std::string{});
    auto below = Walk::choice_of(options, directory, std::move(asked));
    const auto open = [root = std::move(root), directory = std::move(directory),
                       below = std::move(below),
                       words = Words{query.words}]() -> ListingTask::Opened {
        return std::make_unique<FoundNames>(root, directory, below, words);
    };
    return {desk,
            open,
            {.order = query.order,
             .dotfiles = options.dotfiles,
             .names_max = found_max,
             .names_per_piece = names_per_piece},
            false};
}

}  // namespace weir::site

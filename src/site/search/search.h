#pragma once

#include <memory>
#include <string>

#include "site/listing/listing_query.h"
#include "site/listing/listing_task.h"
#include "site/root/root_directory.h"
#include "weir/http/request.h"
#include "weir/site/site.h"

namespace weir::site {

/// The query of a request for a listing. Without Options::listing_search, it has no words.
ListingQuery query_of(const http::Request& request, const Options& options);

/// Makes a task that searches a folder and below for the words of the query. `options` must outlive
/// it.
ListingTask search_for(const ListingQuery& query, const http::Request& request,
                       const Options& options, ListingDesk& desk,
                       std::shared_ptr<const RootDirectory> root, std::string directory);

}  // namespace weir::site

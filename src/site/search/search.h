#pragma once

#include <memory>
#include <string>

#include "site/listing/listing_query.h"
#include "site/listing/listing_task.h"
#include "site/root/root_directory.h"
#include "weir/http/request.h"
#include "weir/site/site.h"

namespace weir::site {

/// What a request asks of a listing. It searches for nothing where the site does not.
ListingQuery query_of(const http::Request& request, const Options& options);

/// Finds the words of the query in a folder and below. `options` must outlive it.
ListingTask search_for(const ListingQuery& query, const http::Request& request,
                       const Options& options, ListingDesk& desk,
                       std::shared_ptr<const RootDirectory> root, std::string directory);

}  // namespace weir::site

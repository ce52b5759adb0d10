#include "cli/serve/listing_choice.h"

#include "server/entrance/endpoint.h"

namespace weir::cli {

void choose_listing(SiteOptions& options, const std::vector<std::string>& addresses) {
    site::Options& site = options.site;
    if (options.no_listing) return;
    site.listing = site.listing || server::are_loopback(addresses);
    if (!site.listing)
        site.listing_hint =
            "This folder has no index page. The server lists folders if it is started with "
            "--listing";
}

}  // namespace weir::cli

#include "cli/listing_choice.h"

#include <algorithm>

#include "server/endpoint.h"

namespace weir::cli {
namespace {

bool is_loopback(const std::string& address) {
    const auto endpoint = server::parse_endpoint(address, 0);
    return endpoint && endpoint->is_loopback() && !endpoint->is_unix();
}

}  // namespace

void choose_listing(ServeOptions& options) {
    site::Options& site = options.site;
    if (options.no_listing) return;
    site.listing = site.listing || std::ranges::all_of(options.server.addresses, is_loopback);
    if (!site.listing)
        site.listing_hint =
            "This folder has no index page. The server lists folders if it is started with "
            "--listing";
}

}  // namespace weir::cli

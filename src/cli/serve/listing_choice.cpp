#include "cli/serve/listing_choice.h"

#include <algorithm>

#include "server/endpoint.h"

namespace weir::cli {
namespace {

bool are_loopback(const std::vector<std::string>& addresses) {
    const auto is_unix = [](const std::string& text) { return text.starts_with("unix:"); };
    return server::are_local(addresses) && std::ranges::none_of(addresses, is_unix);
}

}  // namespace

void choose_listing(SiteOptions& options, const std::vector<std::string>& addresses) {
    site::Options& site = options.site;
    if (options.no_listing) return;
    site.listing = site.listing || are_loopback(addresses);
    if (!site.listing)
        site.listing_hint =
            "This folder has no index page. The server lists folders if it is started with "
            "--listing";
}

}  // namespace weir::cli

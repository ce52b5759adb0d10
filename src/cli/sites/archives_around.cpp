#include "cli/sites/archives_around.h"

#include "weir/archive/archive.h"

namespace weir::cli {

std::expected<std::unique_ptr<http::Handler>, std::string> archives_around(
    http::Handler& inner, const SiteOptions& options) {
    if (!options.site.listing_archives) return nullptr;
    auto made = archive::around(inner, options.site);
    if (!made) return std::unexpected{"--archive: " + made.error()};
    return made;
}

}  // namespace weir::cli

#include "cli/sites/archives_around.h"

#include <utility>

#include "cli/sites/kept_back.h"
#include "weir/archive/archive.h"

namespace weir::cli {

std::expected<std::unique_ptr<http::Handler>, std::string> archives_around(
    http::Handler& inner, const SiteOptions& options) {
    if (!options.site.listing_archives) return nullptr;
    auto made = archive::around(inner, options.site, {.leaves_out = kept_back(options)});
    if (!made) return std::unexpected{"--archive: " + made.error()};
    return made;
}

}  // namespace weir::cli

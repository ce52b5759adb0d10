#include "cli/sites/live_around.h"

#include <utility>

namespace weir::cli {

std::expected<std::unique_ptr<live::Reloader>, std::string> live_around(
    http::Handler& inner, const SiteOptions& options) {
    if (!options.live.reload) return nullptr;
    auto made = live::around(inner, options.site, {.streams_max = options.live.pages_max});
    if (!made) return std::unexpected{"--live-reload: " + made.error()};
    return made;
}

}  // namespace weir::cli

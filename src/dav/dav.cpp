#include "weir/dav/dav.h"

#include <utility>

#include "dav/handler.h"
#include "site/path/paths.h"
#include "upload/handler.h"

namespace weir::dav {
namespace {

/// The folder that does not take uploads; null if all do.
const std::string* folder_without_uploads(const upload::Options& uploads, const Options& options) {
    for (const std::string& folder : options.folders)
        if (!site::is_within_any(folder, uploads.folders)) return &folder;
    return nullptr;
}

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> around(http::Handler& inner,
                                                                  const site::Options& site,
                                                                  const upload::Options& uploads,
                                                                  const Options& options) {
    if (!unavailable().empty()) return std::unexpected{std::string{unavailable()}};
    if (const auto* const folder = folder_without_uploads(uploads, options))
        return std::unexpected{"the folder '/" + *folder + "' takes no uploads"};
    auto store = upload::Store::open(site, uploads);
    if (!store) return std::unexpected{std::move(store.error())};
    auto locks = LockTable::make();
    if (!locks) return std::unexpected{std::move(locks.error())};
    auto types = site::MediaTypes::from(site.media_types);
    if (!types) return std::unexpected{std::move(types.error())};
    Desk desk{.site = site,
              .options = options,
              .store = std::move(*store),
              .types = std::move(*types),
              .withheld = std::make_shared<const site::Withheld>(site.withheld),
              .locks = std::move(*locks)};
    auto without_guard = uploads;
    without_guard.guard = nullptr;
    auto elsewhere = std::make_unique<Elsewhere>(inner);
    auto forms = upload::around_with(desk.store, *elsewhere, site, without_guard);
    if (!forms) return std::unexpected{std::move(forms.error())};
    auto made = std::make_unique<WebDav>(inner, std::move(elsewhere), std::move(*forms),
                                         std::move(desk), 2 * uploads.uploads_max);
    if (const auto guarded = made->guard(uploads); !guarded)
        return std::unexpected{guarded.error()};
    return made;
}

}  // namespace weir::dav

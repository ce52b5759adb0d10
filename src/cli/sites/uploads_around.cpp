#include "cli/sites/uploads_around.h"

#include <utility>

#include "cli/launch/access_around.h"
#include "site/path/paths.h"
#include "weir/dav/dav.h"
#include "weir/upload/upload.h"

namespace weir::cli {
namespace {

/// The realm differs from that of readers' passwords, because a browser shows the realm.
access::PasswordOptions passwords_of(const SiteOptions& options) {
    return {.rules = {access::PasswordRule{.file = options.upload.users}},
            .realm = "weir uploads",
            .tries_per_minute = options.access.passwords.tries_per_minute};
}

std::vector<std::string> below_root(const SiteOptions& options,
                                    const std::vector<std::string>& folders) {
    std::vector<std::string> paths;
    paths.reserve(folders.size());
    for (const std::string& folder : folders)
        paths.push_back(folder.empty() ? options.site.root
                                       : site::joined(options.site.root, folder));
    return paths;
}

}  // namespace

std::expected<UploadsAround, std::string> uploads_around(http::Handler& site,
                                                         const SiteOptions& options) {
    UploadsAround around;
    if (options.upload.folders.empty()) return around;
    upload::Options uploads = options.upload.settings;
    uploads.folders = options.upload.folders;
    if (!options.upload.users.empty())
        uploads.guard = [&](http::Handler& inner) -> upload::Guarded {
            auto made = passwords_around(inner, options.site, passwords_of(options));
            if (!made) return std::unexpected{"--upload-auth: " + made.error()};
            around.passwords = made->get();
            return std::move(*made);
        };
    const bool has_webdav = !options.upload.webdav.empty();
    auto made = has_webdav
                    ? dav::around(site, options.site, uploads, {.folders = options.upload.webdav})
                    : upload::around(site, options.site, uploads);
    if (!made) {
        const std::string& why = made.error();
        const char* const option = has_webdav ? "--webdav: " : "--upload: ";
        return std::unexpected{why.starts_with("--") ? why : option + why};
    }
    around.handler = std::move(*made);
    return around;
}

std::vector<std::string> folders_written(const SiteOptions& options) {
    return below_root(options, options.upload.folders);
}

std::vector<std::string> folders_changed(const SiteOptions& options) {
    return below_root(options, options.upload.webdav);
}

}  // namespace weir::cli

#pragma once

#include <expected>
#include <memory>
#include <string>

#include "site/files/root_directory.h"
#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::archive {

/// Answers "GET /folder/?archive=tar" and "?archive=zip" with an archive of the folder, and gives
/// every other request to the site. The archive has what a listing of the folder shows, and what its
/// folders contain.
class Folders final : public http::Handler {
   public:
    /// For the site with these options, which must outlive it. The error is one sentence.
    static std::expected<std::unique_ptr<Folders>, std::string> around(
        http::Handler& site, const site::Options& options);

    Folders(http::Handler& site, std::shared_ptr<const site::RootDirectory> root, bool dotfiles)
        : site_{site}, root_{std::move(root)}, dotfiles_{dotfiles} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Handler& site_;
    const std::shared_ptr<const site::RootDirectory> root_;
    const bool dotfiles_;
};

}  // namespace weir::archive

#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cli/serve/serve_options.h"
#include "weir/access/passwords.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// The handler that takes the files of clients.
struct UploadsAround {
    std::unique_ptr<http::Handler> handler;              // around the site; null: none
    const access::PasswordHandler* passwords = nullptr;  // within `handler`; null: no password is
                                                         // needed
};

/// `site` must outlive the result. The error is one sentence.
std::expected<UploadsAround, std::string> uploads_around(http::Handler& site,
                                                         const SiteOptions& options);

/// The folders into which the handler puts files.
std::vector<std::string> folders_written(const SiteOptions& options);
/// The folders in which the handler makes, moves and removes folders, too.
std::vector<std::string> folders_changed(const SiteOptions& options);

}  // namespace weir::cli

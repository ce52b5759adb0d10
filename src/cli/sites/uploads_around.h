#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cli/serve/serve_options.h"
#include "weir/access/passwords.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// What takes the files of clients.
struct UploadsAround {
    std::unique_ptr<http::Handler> handler;              // around the site; null: none
    const access::PasswordHandler* passwords = nullptr;  // in it; null: it asks for none
};

/// `site` must outlive it. The error is one sentence.
std::expected<UploadsAround, std::string> uploads_around(http::Handler& site,
                                                         const SiteOptions& options);

/// The folders into which it puts files.
std::vector<std::string> folders_written(const SiteOptions& options);

}  // namespace weir::cli

#pragma once

#include <string>
#include <vector>

#include "cli/serve/serve_options.h"
#include "weir/site/site.h"

namespace weir::cli {

/// A file that the command writes or reads, and that nobody should download.
struct Secret {
    std::string what;  // for messages: "the access log"
    std::string path;  // with a slash at its end: a folder
};

std::vector<Secret> secrets_of(const ServeOptions& options);

/// What a site is to withhold: these, and what goes to standard output and standard error.
std::vector<std::string> withheld(const std::vector<Secret>& secrets);

/// Says which of them the site would serve: "the access log /srv/site/log is below /srv/site, ...".
/// Empty if it serves none. Links and mounts are followed; names that begin with a dot are not served
/// unless the site's options say so.
std::string exposed(const std::vector<Secret>& secrets, const site::Options& site);

}  // namespace weir::cli

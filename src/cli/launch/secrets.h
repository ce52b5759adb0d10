#pragma once

#include <string>
#include <vector>

#include "cli/serve/serve_options.h"
#include "weir/site/site.h"

namespace weir::cli {

/// A file that the command writes or reads, and that no client may download.
struct Secret {
    std::string what;  // for messages: "the access log"
    std::string path;  // a slash at the end means a folder
};

std::vector<Secret> secrets_of(const ServeOptions& options);

/// The paths that a site must withhold: the secrets, and the files behind standard output and
/// standard error.
std::vector<std::string> withheld(const std::vector<Secret>& secrets);

/// The keys of TLS that weir keeps by itself and that the site would serve, although no option of
/// this start names them.
std::vector<std::string> keys_below(const site::Options& site);

/// Returns a sentence about a secret that the site would serve: "the access log /srv/site/log is
/// below /srv/site, ...". Empty if the site serves none. Links and mounts are followed; names that
/// begin with a dot are not served unless the site's options allow it.
std::string exposed(const std::vector<Secret>& secrets, const site::Options& site);

}  // namespace weir::cli

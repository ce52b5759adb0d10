#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/launch/launch.h"
#include "weir/sandbox/sandbox.h"
#include "weir/server/server.h"

namespace weir::cli {

/// Becomes the user of --user. Returns a sentence if that fails, or if the user may not read or
/// write the site's files.
std::string become_user(const Launch& launch);

/// Enters the sandbox, unless an option turns it off. `options` are the options of `server`, which
/// is bound. `certificates` are the files that the server reads again while it runs.
std::optional<sandbox::Report> lock_in(const Launch& launch, const server::Server& server,
                                       const server::Options& options,
                                       const std::vector<std::string>& certificates);

}  // namespace weir::cli

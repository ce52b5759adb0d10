#pragma once

#include <string>

namespace weir::cli {

/// The page at the root of --admin: the figures of /status, second by second. The script is at
/// /live.js.
std::string live_document();
std::string live_script();

}  // namespace weir::cli

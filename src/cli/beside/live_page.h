#pragma once

#include <string_view>

namespace weir::cli {

/// The page at the root of --admin: the figures of /status, second by second. The script is at
/// /live.js.
extern const std::string_view live_document;
extern const std::string_view live_script;

}  // namespace weir::cli

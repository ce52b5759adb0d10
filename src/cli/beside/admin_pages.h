#pragma once

#include <memory>
#include <string>

#include "weir/http/handler.h"
#include "weir/server/metrics.h"

namespace weir::cli {

/// The pages of --admin: /metrics, /livez, /readyz, /status and /config, which has the text
/// `settings`; empty: there is no such page. `metrics` must outlive them.
std::unique_ptr<http::Handler> admin_pages(const server::Metrics& metrics, std::string settings);

}  // namespace weir::cli

#pragma once

#include <memory>

#include "weir/http/handler.h"
#include "weir/server/metrics.h"

namespace weir::cli {

/// The pages of --admin: /metrics, /livez, /readyz and /status. `metrics` must outlive them.
std::unique_ptr<http::Handler> admin_pages(const server::Metrics& metrics);

}  // namespace weir::cli

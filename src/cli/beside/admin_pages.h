#pragma once

#include <memory>
#include <string>

#include "cli/beside/accept_queues.h"
#include "weir/http/handler.h"
#include "weir/server/metrics.h"

namespace weir::cli {

/// The pages of --admin: /metrics, /livez, /readyz, /status and /config, which has the text
/// `settings`; empty: there is no such page. `metrics` and `queues` must outlive them.
std::unique_ptr<http::Handler> admin_pages(const server::Metrics& metrics,
                                           const AcceptQueues& queues, std::string settings);

}  // namespace weir::cli

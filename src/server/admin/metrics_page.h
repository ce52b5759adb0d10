#pragma once

#include <string>

#include "server/admin/facts.h"
#include "server/metrics/exposition.h"

namespace weir::server {

/// The text of /metrics. docs/operating.md lists what is in it.
std::string metrics_page(const Facts& facts, Exposition::Format format);

}  // namespace weir::server

#pragma once

#include <string>

#include "server/admin/facts.h"

namespace weir::server {

/// The text of /status: JSON for scripts and people.
std::string status_page(const Facts& facts);

}  // namespace weir::server

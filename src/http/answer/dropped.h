#pragma once

#include "weir/http/handler.h"

namespace weir::http {

/// For a reply that is of no use any more: tells its source `outcome`, or its sink or continuation
/// that it is cut, as all are promised.
void drop(Reply&& reply, Outcome outcome) noexcept;

}  // namespace weir::http

#pragma once

#include "weir/http/handler.h"

namespace weir::http {

/// A continuation is user code: an exception counts as a failure of the handler.
Reply resume(Continuation& continuation) noexcept;

}  // namespace weir::http

#pragma once

#include "weir/http/handler.h"

namespace weir::http {

/// Discards a reply that its connection can't use. Source, Sink and Continuation promise a last
/// call: the source of the reply gets done(`outcome`), its sink or continuation gets cut().
void drop(Reply&& reply, Outcome outcome) noexcept;

}  // namespace weir::http

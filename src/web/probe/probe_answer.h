#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weir/web/probe.h"

namespace weir::web {

/// A request as a client sends it.
std::string request_text(std::string_view method, std::string_view target,
                         const Probe::Fields& fields, std::optional<std::string_view> content);

/// Parses the bytes of a response that have come. `ended`: the connection has closed.
Probe::Answer answer_from(std::string_view bytes, std::string_view method, bool ended);

}  // namespace weir::web

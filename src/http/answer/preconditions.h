#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/http/request.h"

namespace weir::http {

/// The validators of the selected representation (RFC 9110 8.8).
struct Validators {
    std::string_view entity_tag;                  // strong, or weak: W/"x"
    std::optional<std::int64_t> last_modified{};  // Unix seconds; nothing if unknown
};

enum class Verdict : std::uint8_t { proceed, not_modified, precondition_failed };

/// RFC 9110 13.2.2, steps 1 to 4, for GET and HEAD of an existing file. `now` is in Unix seconds.
Verdict evaluate_preconditions(const Request& request, const Validators& validators,
                               std::int64_t now) noexcept;

/// RFC 9110 13.2.2, step 5: true if If-Range (RFC 9110 13.1.5) lets Range apply.
bool range_is_current(const Request& request, const Validators& validators,
                      std::int64_t now) noexcept;

}  // namespace weir::http

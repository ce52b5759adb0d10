#include "weir/web/early_hints.h"

#include <stdexcept>

#include "web/calling/conversation.h"
#include "weir/http/response.h"

namespace weir::web {

/// The conversation hands the hints to the connection when that resumes the coroutine.
bool detail::Hinting::begin(Runner&) {
    conversation_.hint(lines_);
    return conversation_.has_hints();
}

bool detail::Hinting::is_ready(Instant) noexcept { return !conversation_.has_hints(); }

detail::Hinting detail::hints_of(const Call& call, std::span<const std::string_view> links) {
    if (!call.conversation()) throw std::logic_error{"early_hints() is for coroutines"};
    http::Response checked;
    for (const std::string_view link : links) checked.add("Link", link);
    return {*call.conversation(), std::string{checked.own_fields()}};
}

}  // namespace weir::web

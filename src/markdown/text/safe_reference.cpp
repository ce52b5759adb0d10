#include "markdown/text/safe_reference.h"

#include <algorithm>
#include <array>

#include "weir/http/field_name.h"

namespace weir::markdown {

namespace {

constexpr std::array<std::string_view, 7> schemes{"http", "https", "mailto", "ftp",
                                                  "tel",  "xmpp",  "irc"};

}  // namespace

bool is_safe_reference(std::string_view reference) noexcept {
    const std::size_t end = reference.find_first_of(":/?#");
    if (end == reference.npos || reference[end] != ':') return true;
    return std::ranges::any_of(schemes, [&](std::string_view scheme) {
        return http::equals_ignoring_case(scheme, reference.substr(0, end));
    });
}

}  // namespace weir::markdown

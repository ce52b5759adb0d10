#pragma once

#include <cstdint>
#include <optional>

#include "acme/folder/certificate.h"
#include "acme/json/json.h"

namespace weir::acme {

/// The time in which a CA wants a certificate to be renewed (RFC 9773 4.2), in Unix seconds.
struct Window {
    std::int64_t start = 0;
    std::int64_t end = 0;

    bool operator==(const Window&) const = default;
};

/// Nothing if the object has no window.
std::optional<Window> window_in(const Json& renewal_info);

/// The time at which a certificate is to be renewed: within the window of the CA, or after two
/// thirds of its life. `fraction`: 0 to 1, so that not all servers come at once.
std::int64_t renewal_of(const Certificate& certificate, const std::optional<Window>& window,
                        double fraction) noexcept;

/// The time of RFC 3339 5.6 in Unix seconds. Nothing if the text is malformed.
std::optional<std::int64_t> parse_timestamp(const std::string& text);

/// The pause before the next try, in seconds, after `failures` in a row. A CA counts failures: Let's
/// Encrypt allows five in an hour for each name.
std::int64_t pause_after(unsigned failures) noexcept;

}  // namespace weir::acme

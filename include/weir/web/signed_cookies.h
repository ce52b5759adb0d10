#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/web/call.h"
#include "weir/web/response.h"

namespace weir::web {

/// Cookies with a signature (HMAC-SHA-256, RFC 2104). A peer can read their values, but it cannot
/// make or change one, and cannot give one to a cookie of another name. EncryptedCookies, in
/// weir/tls/encrypted_cookies.h, has the same members for values that a peer must not read.
///
///     const SignedCookies cookies{{key}};
///     set_cookie(response, cookies.sign({.name = "theme", .value = "dark"}));
///     const auto theme = cookies.value(call, "theme");
///
/// A signature does not expire: a peer can send an old cookie again, also after its max_age, which
/// is for browsers. If that matters, put a time into the value, or keep it in a Session.
///
/// Any thread may call the members.
class SignedCookies {
   public:
    static constexpr std::size_t key_bytes_min = 32;
    /// The most bytes of a cookie's name and value together, as they are sent. Browsers keep no
    /// longer ones (RFC 6265 6.1).
    static constexpr std::size_t bytes_max = 4096;

    /// The first key signs, and all of them verify. To replace a key, put the new one in front, and
    /// remove the old one when its cookies have ended. A key is a secret of random bytes; servers
    /// with the same keys know each other's cookies. Throws std::invalid_argument if there is no
    /// key, or if one has fewer than 32 bytes.
    explicit SignedCookies(std::vector<std::string> keys);

    /// The cookie with a signed value, for set_cookie(). The value may have any bytes: base64url
    /// (RFC 4648 5) makes them a third longer, and the signature takes 44 bytes. Throws
    /// std::length_error if the result has more than 4,096 bytes.
    Cookie sign(Cookie cookie) const;
    /// The value that was signed. Null if the request has no such cookie, if its signature is
    /// wrong, or if it is too long. If there are several cookies of that name, the first one
    /// counts.
    std::optional<std::string> value(const Call& call, std::string_view name) const;

   private:
    std::vector<std::string> keys_;
};

}  // namespace weir::web

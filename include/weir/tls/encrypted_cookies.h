#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/web/call.h"
#include "weir/web/response.h"

namespace weir::web {

/// Cookies whose values a peer can neither read nor change: AES-256-GCM (NIST SP 800-38D), bound to
/// the cookie's name. See SignedCookies for keys, their replacement, and cookies that a peer sends
/// again. The class is in the library weir-tls, which needs OpenSSL 3.
///
///     const EncryptedCookies cookies{{key}};
///     set_cookie(response, cookies.encrypt({.name = "cart", .value = items}));
///     const auto items = cookies.value(call, "cart");
///
/// A peer sees the length of a value. Any thread may call the members.
class EncryptedCookies {
   public:
    /// Throws std::invalid_argument as the constructor of SignedCookies does. A key may encrypt any
    /// number of cookies.
    explicit EncryptedCookies(std::vector<std::string> keys);

    /// The cookie with an encrypted value, for set_cookie(). The value may have any bytes; the
    /// result takes 40 bytes more, and a third more than that (base64url). Throws std::length_error
    /// if the name and the result together have more than 4,096 bytes, std::bad_alloc if OpenSSL
    /// has no memory, and std::system_error if the system has no random numbers.
    Cookie encrypt(Cookie cookie) const;
    /// The value that was encrypted. Null if the request has no such cookie, if it was not made
    /// with one of the keys, or if it is too long. If there are several cookies of that name, the
    /// first one counts. Throws std::bad_alloc as encrypt() does.
    std::optional<std::string> value(const Call& call, std::string_view name) const;

   private:
    std::vector<std::string> keys_;
};

}  // namespace weir::web

#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::access {

/// The users whose passwords open some paths.
struct PasswordRule {
    /// As in site::FieldRule, with everything below a match: "/private", "*.pdf". Empty: all paths.
    std::string glob{};
    /// An htpasswd file: lines of "name:hash". It is read again when it changes; if the new content
    /// cannot be used, the users from before stay. Empty: no file.
    std::string file{};
    /// Further users, "name:hash", which take precedence over those of the file.
    std::vector<std::string> users{};
};

struct PasswordOptions {
    /// If there are several rules for a path, the one with the longest glob in front of its first
    /// wildcard decides; of equal ones, the last one.
    std::vector<PasswordRule> rules{};
    std::string realm = "weir";
    /// The number of passwords that one client may try in a minute; 0: no limit. An IPv6 network of
    /// 64 bits is one client. Clients of a unix socket have no limit.
    std::uint32_t tries_per_minute = 10;
    /// The hash of a password as crypt(3) makes it, with the method and the salt of another hash;
    /// empty if it cannot. It may take long. Threads call it, several at once; it must not throw.
    std::function<std::string(const std::string& password, const std::string& hash)> crypt{};
    /// Gets one sentence about a file that has become unusable. It must not block.
    std::function<void(std::string_view)> notice{};
};

/// The handler that ask_passwords() returns.
class PasswordHandler : public http::Handler {
   public:
    /// The name of the user whose password came with the request and was right; empty if no
    /// password was needed, or if it was wrong. Any thread may call it while the request is valid.
    virtual std::string user_of(const http::Request& request) const = 0;
};

/// A handler that asks for a name and a password (RFC 7617) if a rule requires it, and calls
/// `inner`, which must outlive it, if they are right. Use it over TLS. It accepts hashes by bcrypt,
/// SHA-256-crypt, SHA-512-crypt and yescrypt (crypt(5)), and refuses weaker ones. Passwords are
/// compared outside of the event loops; one that was right is remembered for five minutes.
///
/// `site` has the options by which `inner` finds its files: a rule for a file counts for each of
/// its addresses (index pages, compressed files, pages without their extension).
///
/// The error is one sentence about a fault of the options or of a file.
std::expected<std::unique_ptr<PasswordHandler>, std::string> ask_passwords(
    http::Handler& inner, const site::Options& site, PasswordOptions options);

}  // namespace weir::access

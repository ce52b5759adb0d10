#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rules/auth/checks.h"
#include "rules/auth/known_digests.h"
#include "rules/auth/siphash.h"
#include "rules/auth/tries.h"
#include "rules/auth/user_file.h"
#include "rules/request_path.h"
#include "weir/http/handler.h"

namespace weir::web {
class BasicCredentials;
}  // namespace weir::web

namespace weir::rules {

/// Who may see which paths.
struct ProtectedPaths {
    Paths paths;
    std::unique_ptr<UserFile> users;
};

/// Asks for a user and a password (RFC 7617). Of several rules for a path, that with the longest text
/// in front of its first wildcard decides. Passwords that were right are remembered for some minutes;
/// others are compared off the loop. A client with too many wrong ones gets a 429.
class Authentication final : public http::Handler {
   public:
    struct Options {
        std::string realm = "weir";
        std::uint32_t tries = 10;  // wrong passwords in a minute, from one client; 0: no limit
        Clock clock = system_clock;
    };
    /// `inner` must outlive it. Throws std::invalid_argument for a realm with a quote, a backslash or a
    /// control character, and std::system_error if the system has no random numbers.
    Authentication(std::vector<ProtectedPaths> paths, Options options, http::Handler& inner);

    http::Reply handle(const http::Request& request) override;

   private:
    class Pending;
    struct Attempt;

    ProtectedPaths* find(const RequestPath& path);
    http::Reply check(const http::Request& request, Attempt attempt, UserFile& file);
    std::shared_ptr<const Check> begin(const http::Request& request, const Attempt& attempt,
                                       const UserFile& file);
    http::Response ask() const;

    std::vector<ProtectedPaths> paths_;
    const Options options_;
    const std::string challenge_;
    http::Handler& inner_;
    const SipKey key_ = SipKey::random();
    KnownDigests known_;
    Tries tries_;
    Checks checks_;  // the last one: its threads use nothing of what stands before, and end first
};

}  // namespace weir::rules

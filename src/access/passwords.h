#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "access/memory/rate_table.h"
#include "access/memory/siphash.h"
#include "access/memory/verified.h"
#include "access/password/comparisons.h"
#include "access/password/user_file.h"
#include "access/request/request_path.h"
#include "weir/access/passwords.h"

namespace weir::web {
class BasicCredentials;
}  // namespace weir::web

namespace weir::access {

/// Asks for a name and a password: see ask_passwords().
class Passwords final : public PasswordHandler {
   public:
    struct Rule {
        Paths paths;
        std::unique_ptr<UserFile> users;
    };
    /// Throws std::invalid_argument for a realm that cannot be sent, and std::system_error.
    Passwords(http::Handler& inner, Addresses addresses, std::vector<Rule> rules,
              PasswordOptions options, Clock clock = net::read_clock);

    http::Reply handle(const http::Request& request) override;
    std::string user_of(const http::Request& request) const override;

   private:
    class Pending;
    struct Attempt;

    Choice<Rule> find(const http::Request& request) const;
    SipDigest digest_of(const web::BasicCredentials& given, const std::string& hash,
                        const Rule& rule) const;
    http::Reply compare(const http::Request& request, Attempt attempt, Comparisons::Work work);
    http::Response ask() const;

    http::Handler& inner_;
    const Addresses addresses_;
    std::vector<Rule> rules_;  // the most specific one first
    const std::string challenge_;
    const Clock clock_;
    const SipKey key_ = SipKey::random();
    Verified verified_;
    std::optional<RateTable> tries_;
    Comparisons comparisons_;  // the last member: its threads end first
};

}  // namespace weir::access

#include "rules/auth/authentication.h"

#include <algorithm>
#include <array>
#include <utility>

#include "rules/answer/called_later.h"
#include "web/middleware/credentials.h"

namespace weir::rules {
namespace {

using http::Reply;
using http::Request;
using http::Response;
using http::Status;

Response come_again(Status status, std::chrono::seconds wait) {
    return std::move(http::error_response(status).add("Retry-After", std::to_string(wait.count())));
}

}  // namespace

/// What a request brings.
struct Authentication::Attempt {
    web::BasicCredentials given;
    SipDigest digest;
    Peer peer;
    bool is_counted = false;  // it has taken one of the peer's tries
};

/// A request whose password is compared. If it is right, the handler behind is called.
class Authentication::Pending final : public http::Continuation {
   public:
    Pending(Authentication& rule, std::shared_ptr<const Request> request,
            std::shared_ptr<const Check> check, Attempt attempt)
        : rule_{rule},
          request_{std::move(request)},
          check_{std::move(check)},
          attempt_{std::move(attempt)},
          behind_{rule.inner_, request_} {}

    Reply resume() override {
        if (has_passed_) return behind_.resume();
        switch (check_->verdict()) {
            case Check::Verdict::none_yet: return http::Later{};
            case Check::Verdict::wrong: return rule_.ask();
            case Check::Verdict::right: break;
        }
        pass();
        return behind_.resume();
    }
    Instant due() const noexcept override { return behind_.due(); }
    void cut() noexcept override { behind_.cut(); }

   private:
    void pass() {
        has_passed_ = true;
        rule_.known_.remember(attempt_.digest, rule_.options_.clock());
        if (attempt_.is_counted) rule_.tries_.give_back(attempt_.peer);
        request_->user(attempt_.given.user());
    }

    Authentication& rule_;
    const std::shared_ptr<const Request> request_;
    const std::shared_ptr<const Check> check_;
    const Attempt attempt_;
    CalledLater behind_;
    bool has_passed_ = false;
};

Authentication::Authentication(std::vector<ProtectedPaths> paths, Options options,
                               http::Handler& inner)
    : options_{std::move(options)},
      challenge_{web::basic_challenge(options_.realm)},
      inner_{inner},
      tries_{options_.tries} {
    // Of equal ones, the last one given decides, as among other rules.
    for (ProtectedPaths& one : paths) {
        const auto place = std::ranges::find_if(paths_, [&](const ProtectedPaths& other) {
            return other.paths.fixed_bytes() <= one.paths.fixed_bytes();
        });
        paths_.insert(place, std::move(one));
    }
}

Reply Authentication::handle(const Request& request) {
    ProtectedPaths* const rule = find(RequestPath{request.path()});
    if (rule == nullptr) return inner_.handle(request);
    auto given = web::BasicCredentials::from(request);
    if (!given) return ask();
    // The file and its version are part of what is remembered: whoever is removed there is out.
    const std::array<std::uint64_t, 2> which{static_cast<std::uint64_t>(rule - paths_.data()),
                                             rule->users->version()};
    const SipKey key{.first = key_.first ^ which[0], .second = key_.second ^ which[1]};
    const SipDigest digest = siphash(key, given->both());
    if (known_.knows(digest, options_.clock())) {
        request.user(given->user());
        return inner_.handle(request);
    }
    return check(request, {.given = std::move(*given), .digest = digest, .peer = Peer::of(request)},
                 *rule->users);
}

ProtectedPaths* Authentication::find(const RequestPath& path) {
    const auto found = std::ranges::find_if(
        paths_, [&](const ProtectedPaths& one) { return one.paths.contain(path); });
    return found == paths_.end() ? nullptr : &*found;
}

Reply Authentication::check(const Request& request, Attempt attempt, UserFile& file) {
    auto check = checks_.join(attempt.digest, request);
    if (!check) {
        const auto wait = tries_.take(attempt.peer, options_.clock());
        if (wait.count() > 0) return come_again(Status::too_many_requests, wait);
        attempt.is_counted = true;
        check = begin(request, attempt, file);
        if (!check) {
            tries_.give_back(attempt.peer);
            return come_again(Status::service_unavailable, std::chrono::seconds{1});
        }
    }
    return http::Later{
        std::make_unique<Pending>(*this, request.share(), std::move(check), std::move(attempt))};
}

/// An unknown user takes the time of a known one.
std::shared_ptr<const Check> Authentication::begin(const Request& request, const Attempt& attempt,
                                                   const UserFile& file) {
    const auto users = file.users();
    const std::string* const own = users->hash_of(attempt.given.user());
    const std::string* const hash =
        own != nullptr ? own : users->any_hash(siphash(key_, attempt.given.user())[0]);
    return checks_.begin({.digest = attempt.digest,
                          .password = std::string{attempt.given.password()},
                          .hash = hash != nullptr ? *hash : std::string{},
                          .may_be_right = own != nullptr},
                         request);
}

Response Authentication::ask() const {
    return std::move(
        http::error_response(Status::unauthorized).add("WWW-Authenticate", challenge_));
}

}  // namespace weir::rules

#include "access/passwords.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "access/request/client.h"
#include "http/answer/error_page.h"
#include "web/calling/called_later.h"
#include "web/middleware/credentials.h"

namespace weir::access {
namespace {

using http::Reply;
using http::Request;
using http::Response;
using http::Status;

constexpr RateTable::Microseconds minute{60'000'000};

std::optional<RateTable> limit_of(std::uint32_t tries_per_minute) {
    if (tries_per_minute == 0) return std::nullopt;
    return std::optional<RateTable>{
        std::in_place,
        RateTable::Limit{.interval = minute / tries_per_minute, .burst = tries_per_minute}};
}

void append_number(std::string& out, std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) out += static_cast<char>(number >> (8 * byte) & 0xffU);
}

std::expected<Passwords::Rule, std::string> rule_of(PasswordRule& rule, UserFile::Tell tell) {
    if (auto refusal = Paths::refusal(rule.glob); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    Users users;
    for (const std::string& line : rule.users) {
        const auto one = Users::parse_one(line);
        if (!one)
            return std::unexpected{"the user '" + line.substr(0, line.find(':')) + "' " +
                                   one.error()};
        users.add(*one);
    }
    auto file = UserFile::open(std::move(rule.file), std::move(users), std::move(tell));
    if (!file) return std::unexpected{std::move(file.error())};
    return Passwords::Rule{.paths = Paths{rule.glob}, .users = std::move(*file)};
}

}  // namespace

/// One try of a password.
struct Passwords::Attempt {
    SipDigest digest{};
    std::optional<std::uint64_t> counted{};  // the client that has taken one of its tries
};

/// A request whose password is being compared. If it is right, the inner handler is called.
class Passwords::Pending final : public http::Continuation {
   public:
    Pending(Passwords& rule, std::shared_ptr<const Request> request,
            std::shared_ptr<const Comparison> comparison, Attempt attempt)
        : rule_{rule},
          comparison_{std::move(comparison)},
          attempt_{attempt},
          behind_{rule.inner_, std::move(request)} {}

    Reply resume() override {
        if (has_passed_) return behind_.resume();
        switch (comparison_->verdict()) {
            case Comparison::Verdict::none_yet: return http::Later{};
            case Comparison::Verdict::wrong: return rule_.ask();
            case Comparison::Verdict::right: break;
        }
        has_passed_ = true;
        rule_.verified_.remember(attempt_.digest, rule_.clock_().instant);
        if (attempt_.counted) rule_.tries_->give_back(*attempt_.counted);
        return behind_.resume();
    }
    Instant due() const noexcept override { return behind_.due(); }
    std::size_t bytes() const noexcept override { return behind_.bytes(); }
    std::optional<Response> refused(http::Status status, std::string_view reason) override {
        return behind_.refused(status, reason);
    }
    bool ends_with_peer() const noexcept override { return behind_.ends_with_peer(); }
    void cut() noexcept override { behind_.cut(); }

   private:
    Passwords& rule_;
    const std::shared_ptr<const Comparison> comparison_;
    const Attempt attempt_;
    web::detail::CalledLater behind_;
    bool has_passed_ = false;
};

Passwords::Passwords(http::Handler& inner, Addresses addresses, std::vector<Rule> rules,
                     PasswordOptions options, Clock clock)
    : inner_{inner},
      addresses_{std::move(addresses)},
      challenge_{web::basic_challenge(options.realm)},
      clock_{clock},
      tries_{limit_of(options.tries_per_minute)},
      comparisons_{std::move(options.crypt), clock} {
    for (Rule& one : rules) insert_by_rank(rules_, std::move(one));
}

Reply Passwords::handle(const Request& request) {
    const auto [rule, is_ambiguous] = find(request);
    if (is_ambiguous) return path_is_ambiguous();
    if (rule == nullptr) return inner_.handle(request);
    const auto given = web::BasicCredentials::from(request);
    if (!given) return ask();
    const auto users = rule->users->users();
    const std::string* const own = users->hash_of(given->user());
    // The response for an unknown user takes the time of one for a known user.
    const std::string* const hash =
        own != nullptr ? own : users->any_hash(siphash(key_, given->user())[0]);
    if (hash == nullptr) return ask();
    const SipDigest digest = digest_of(*given, *hash, *rule);
    if (own != nullptr && verified_.knows(digest, clock_().instant)) return inner_.handle(request);
    return compare(request, {.digest = digest},
                   {.digest = digest,
                    .password = std::string{given->password()},
                    .hash = *hash,
                    .may_be_right = own != nullptr});
}

/// For the log of a long download, too: credentials that were right stay right as long as the file
/// has their hash.
std::string Passwords::user_of(const Request& request) const {
    const auto given = web::BasicCredentials::from(request);
    const Rule* const rule = given ? find(request).rule : nullptr;
    if (rule == nullptr) return {};
    const auto users = rule->users->users();
    const std::string* const hash = users->hash_of(given->user());
    constexpr Instant at_any_time{};
    if (hash == nullptr || !verified_.knows(digest_of(*given, *hash, *rule), at_any_time))
        return {};
    return std::string{given->user()};
}

Choice<Passwords::Rule> Passwords::find(const Request& request) const {
    if (rules_.front().paths.contain_all()) return {.rule = &rules_.front()};
    return choose(rules_, names_behind(request, addresses_));
}

/// The digest includes the hash: it becomes unknown if the user is removed or the password changes.
SipDigest Passwords::digest_of(const web::BasicCredentials& given, const std::string& hash,
                               const Rule& rule) const {
    std::string bytes;
    append_number(bytes, static_cast<std::uint64_t>(&rule - rules_.data()));
    append_number(bytes, hash.size());
    bytes.append(hash).append(given.both());
    return siphash(key_, bytes);
}

/// Requests with the same credentials wait for one comparison, which counts as one try: a browser
/// opens several connections at once.
Reply Passwords::compare(const Request& request, Attempt attempt, Comparisons::Work work) {
    auto comparison = comparisons_.join(attempt.digest, request);
    if (!comparison) {
        const Client client = Client::of(request);
        if (tries_ && client.kind != Client::Kind::unix_socket) {
            attempt.counted = client.hashed(key_);
            const auto wait = tries_->take(*attempt.counted, clock_().instant);
            if (wait.count() > 0) return http::come_again(Status::too_many_requests, wait);
        }
        comparison = comparisons_.begin(std::move(work), request);
        if (!comparison) {
            if (attempt.counted) tries_->give_back(*attempt.counted);
            return http::come_again(Status::service_unavailable, std::chrono::seconds{1});
        }
    }
    return http::Later{
        std::make_unique<Pending>(*this, request.share(), std::move(comparison), attempt)};
}

Response Passwords::ask() const {
    return std::move(
        http::error_response(Status::unauthorized).add("WWW-Authenticate", challenge_));
}

std::expected<std::unique_ptr<PasswordHandler>, std::string> ask_passwords(
    http::Handler& inner, const site::Options& site, PasswordOptions options) try {
    if (options.rules.empty() || !options.crypt)
        return std::unexpected{"passwords need a rule, and a function that compares hashes"};
    std::vector<Passwords::Rule> rules;
    for (PasswordRule& rule : options.rules) {
        auto one = rule_of(rule, options.notice);
        if (!one) return std::unexpected{std::move(one.error())};
        rules.push_back(std::move(*one));
    }
    return std::make_unique<Passwords>(inner, Addresses{site}, std::move(rules),
                                       std::move(options));
} catch (const std::invalid_argument& error) {
    return std::unexpected{std::string{error.what()}};
} catch (const std::system_error& error) {
    return std::unexpected{std::string{error.what()}};
}

}  // namespace weir::access

#include "weir/access/rates.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "access/memory/rate_table.h"
#include "access/memory/siphash.h"
#include "access/request/client.h"
#include "access/request/request_path.h"
#include "http/answer/error_page.h"
#include "net/clock.h"

namespace weir::access {
namespace {

struct Rule {
    Rule(std::string_view glob, RateTable::Limit limit) : paths{glob}, table{limit} {}

    Paths paths;
    RateTable table;
};

class Rates final : public http::Handler {
   public:
    Rates(http::Handler& inner, Addresses addresses, std::vector<std::unique_ptr<Rule>> rules)
        : inner_{inner}, addresses_{std::move(addresses)}, rules_{std::move(rules)} {}

    http::Reply handle(const http::Request& request) override {
        const Client client = Client::of(request);
        if (client.kind == Client::Kind::unix_socket) return inner_.handle(request);
        const auto wait = take(client.hashed(key_), names_behind(request, addresses_));
        if (wait.count() == 0) return inner_.handle(request);
        return http::come_again(http::Status::too_many_requests, wait);
    }

   private:
    /// Returns the time that the client has to wait. A request that one rule refuses counts for
    /// none.
    RateTable::Microseconds take(std::uint64_t client, const std::vector<Names>& readings) {
        const Instant now = net::read_instant();
        for (auto rule = rules_.begin(); rule != rules_.end(); ++rule) {
            if (!is_for((*rule)->paths, readings)) continue;
            const auto wait = (*rule)->table.take(client, now);
            if (wait.count() == 0) continue;
            while (rule != rules_.begin())
                if (--rule; is_for((*rule)->paths, readings)) (*rule)->table.give_back(client);
            return wait;
        }
        return RateTable::Microseconds{0};
    }

    static bool is_for(const Paths& paths, const std::vector<Names>& readings) {
        return std::ranges::any_of(readings,
                                   [&](const Names& names) { return paths.contain(names); });
    }

    http::Handler& inner_;
    const Addresses addresses_;
    const std::vector<std::unique_ptr<Rule>> rules_;
    const SipKey key_ = SipKey::random();
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> limit_rates(
    http::Handler& inner, const site::Options& site, const std::vector<RateRule>& rules) try {
    std::vector<std::unique_ptr<Rule>> made;
    for (const RateRule& rule : rules) {
        if (auto refusal = Paths::refusal(rule.glob); !refusal.empty())
            return std::unexpected{std::move(refusal)};
        if (rule.interval.count() <= 0 || rule.burst == 0)
            return std::unexpected{"a rate must allow some requests"};
        made.push_back(std::make_unique<Rule>(
            rule.glob, RateTable::Limit{.interval = rule.interval, .burst = rule.burst}));
    }
    return std::make_unique<Rates>(inner, Addresses{site}, std::move(made));
} catch (const std::system_error& error) {
    return std::unexpected{std::string{error.what()}};
}

}  // namespace weir::access

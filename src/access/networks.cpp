#include "weir/access/networks.h"

#include <algorithm>
#include <utility>

#include "access/request/client.h"
#include "access/request/network.h"
#include "access/request/request_path.h"

namespace weir::access {
namespace {

struct Rule {
    Paths paths;
    Network network;
    bool allows;
};

class Networks final : public http::Handler {
   public:
    Networks(http::Handler& inner, Addresses addresses, std::vector<Rule> rules)
        : inner_{inner}, addresses_{std::move(addresses)}, rules_{std::move(rules)} {}

    http::Reply handle(const http::Request& request) override {
        const Client client = Client::of(request);
        const auto lets_in = [&](const Names& names) { return lets(client, names); };
        if (!std::ranges::all_of(names_behind(request, addresses_), lets_in))
            return http::error_response(http::Status::forbidden,
                                        "The server refuses requests from this network");
        return inner_.handle(request);
    }

   private:
    bool lets(const Client& client, const Names& behind) const {
        bool allows_others = false;
        const Rule* decides = nullptr;
        for (const Rule& rule : rules_) {
            if (!rule.paths.contain(behind)) continue;
            allows_others = allows_others || rule.allows;
            if (!rule.network.contains(client)) continue;
            if (decides == nullptr || is_closer(rule, *decides)) decides = &rule;
        }
        return decides != nullptr ? decides->allows : !allows_others;
    }
    static bool is_closer(const Rule& rule, const Rule& other) noexcept {
        return rule.network.bits() > other.network.bits() ||
               (rule.network.bits() == other.network.bits() && !rule.allows);
    }

    http::Handler& inner_;
    const Addresses addresses_;
    const std::vector<Rule> rules_;
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> limit_networks(
    http::Handler& inner, const site::Options& site, const std::vector<NetworkRule>& rules) {
    std::vector<Rule> read;
    for (const NetworkRule& rule : rules) {
        if (auto refusal = Paths::refusal(rule.glob); !refusal.empty())
            return std::unexpected{std::move(refusal)};
        const auto network = Network::parse(rule.network);
        if (!network) return std::unexpected{network.error()};
        read.push_back({.paths = Paths{rule.glob}, .network = *network, .allows = rule.allows});
    }
    return std::make_unique<Networks>(inner, Addresses{site}, std::move(read));
}

}  // namespace weir::access

#include "cli/sites/served_sites.h"

#include <algorithm>
#include <utility>

namespace weir::cli {
namespace {

/// Gives each of several sites a part of a limit that they share.
void divide(site::CacheOptions& cache, std::size_t sites, bool has_own_size) {
    constexpr std::size_t files_min = 16;
    const auto part = [sites](std::size_t whole, std::size_t min) {
        return std::max(whole / sites, std::min(whole, min));
    };
    if (!has_own_size) cache.bytes_max = part(cache.bytes_max, 0);
    cache.descriptors_max = part(cache.descriptors_max, files_min);
    cache.watches_max = part(cache.watches_max, files_min);
}

std::string name_of(const NamedSite& site) {
    return site.head.hosts.empty() ? "all other hosts" : site.head.hosts.front();
}

}  // namespace

std::expected<ServedSites, std::string> ServedSites::open(const ServeOptions& options) {
    ServedSites served{!options.server.redirect_addresses.empty()};
    const auto added =
        options.sites.empty() ? served.add(options) : served.add_several(options.sites);
    if (!added) return std::unexpected{added.error()};
    if (const auto trusted = served.trust(options.access.proxies); !trusted)
        return std::unexpected{trusted.error()};
    return served;
}

std::expected<void, std::string> ServedSites::add(const SiteOptions& options) {
    auto site = ServedSite::open(options);
    if (!site) return std::unexpected{std::move(site.error())};
    if (answers_challenges_)
        if (auto answers = (*site)->answer_challenges(); !answers) return answers;
    outermost_ = &(*site)->handler();
    sites_.push_back(std::move(*site));
    return {};
}

std::expected<void, std::string> ServedSites::add_several(const std::vector<NamedSite>& sites) {
    std::vector<std::pair<std::string, http::Handler*>> named;
    http::Handler* otherwise = nullptr;
    for (const NamedSite& each : sites) {
        SiteOptions options = each.options;
        divide(options.site.cache, sites.size(), each.has_own_cache);
        options.live.pages_max = std::max<std::size_t>(options.live.pages_max / sites.size(), 1);
        hosts_.push_back(name_of(each));
        if (auto added = add(options); !added)
            return std::unexpected{"the site of " + hosts_.back() + ": " + added.error()};
        if (each.head.is_default) otherwise = outermost_;
        for (const std::string& host : each.head.hosts) named.emplace_back(host, outermost_);
    }
    by_host_ = std::make_unique<rules::ByHost>(otherwise);
    for (const auto& [host, handler] : named)
        if (const auto added = by_host_->add(host, *handler); !added) return added;
    outermost_ = by_host_.get();
    return {};
}

/// Goes around all other handlers, because they need the client's address.
std::expected<void, std::string> ServedSites::trust(const ProxyOptions& proxies) {
    if (proxies.trusted.empty()) return {};
    auto made = access::trust_proxies(*outermost_, proxies.trusted, proxies.field);
    if (!made) return std::unexpected{"--trust: " + made.error()};
    behind_proxies_ = std::move(*made);
    outermost_ = behind_proxies_.get();
    return {};
}

/// Returns null if there is no site for the host.
const ServedSite* ServedSites::site_of(const http::Request& request) const noexcept {
    if (!by_host_) return sites_.front().get();
    const http::Handler* const chosen = by_host_->chosen(request);
    const auto found =
        std::ranges::find_if(sites_, [&](const auto& site) { return &site->handler() == chosen; });
    return found != sites_.end() ? found->get() : nullptr;
}

std::function<std::string(const http::Request&)> ServedSites::user() const {
    if (std::ranges::none_of(sites_, [](const auto& site) { return site->asks_for_users(); }))
        return {};
    return [this](const http::Request& request) {
        const ServedSite* const site = site_of(request);
        return site != nullptr ? site->user_of(request) : std::string{};
    };
}

std::string ServedSites::in_words() const {
    if (!by_host_) return sites_.front()->path();
    constexpr std::size_t shown_max = 3;
    std::string text = std::to_string(hosts_.size()) + " sites: ";
    for (std::size_t i = 0; i < std::min(hosts_.size(), shown_max); ++i)
        text.append(i > 0 ? ", " : "").append(hosts_[i]);
    return hosts_.size() > shown_max ? text + ", ..." : text;
}

void ServedSites::resume_watching() const {
    for (const auto& site : sites_) site->resume_watching();
}

std::vector<std::uint16_t> ServedSites::ports() const {
    std::vector<std::uint16_t> all;
    for (const auto& site : sites_)
        for (const std::uint16_t port : site->ports()) all.push_back(port);
    return all;
}

bool ServedSites::has_unix_sockets() const {
    return std::ranges::any_of(sites_, [](const auto& site) { return site->has_unix_sockets(); });
}

bool ServedSites::watching() const {
    return std::ranges::all_of(sites_, [](const auto& site) { return site->watching(); });
}

std::vector<std::string> ServedSites::of_all(std::vector<std::string> (ServedSite::*list)()
                                                 const) const {
    std::vector<std::string> all;
    for (const auto& site : sites_)
        for (std::string& each : (*site.*list)())
            if (std::ranges::find(all, each) == all.end()) all.push_back(std::move(each));
    return all;
}

}  // namespace weir::cli

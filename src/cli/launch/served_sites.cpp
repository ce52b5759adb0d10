#include "cli/launch/served_sites.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "archive/folders.h"
#include "cli/options/listing_choice.h"
#include "rules/trust/trusted_proxies.h"

namespace weir::cli {
namespace {

/// Answers for hosts that no site has.
class NoSite final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override {
        // RFC 9110 15.5.20: the server has no answer for the target's authority.
        constexpr auto misdirected = static_cast<http::Status>(421);
        return http::error_response(misdirected, "No site of this server has that name");
    }
};

std::string absolute(const site::Options& site) {
    std::error_code error;
    auto path = std::filesystem::canonical(site.root, error);
    if (error) path = site.root;
    if (!site.file.empty()) path /= site.file;
    return path.string();
}

/// What several sites share; each gets a part of it.
void divide(site::CacheOptions& cache, std::size_t sites, bool has_own_size) {
    constexpr std::size_t files_min = 16;
    const auto share = [sites](std::size_t whole, std::size_t min) {
        return std::max(whole / sites, std::min(whole, min));
    };
    if (!has_own_size) cache.bytes_max = share(cache.bytes_max, 0);
    cache.descriptors_max = share(cache.descriptors_max, files_min);
    cache.watches_max = share(cache.watches_max, files_min);
}

/// A file of users that is served would give the hashes away. Empty: there is none.
std::string served_users(const OneSiteOptions& options) {
    std::error_code error;
    const auto root = std::filesystem::canonical(options.site.root, error);
    if (error || !options.site.file.empty()) return {};
    for (const AuthOption& auth : options.rules.auth) {
        const auto file = std::filesystem::canonical(auth.file, error);
        if (!error && std::ranges::mismatch(root, file).in1 == root.end()) return auth.file;
    }
    return {};
}

std::string name_of(const NamedSite& site) {
    return site.head.names.empty() ? "default" : site.head.names.front();
}

}  // namespace

std::expected<std::unique_ptr<site::Site>, std::string> open_site(OneSiteOptions& options) {
    choose_listing(options);
    options.site.cache.watches_from_start = false;
    return site::Site::open(options.site);
}

std::expected<RulesAround, std::string> surround(const OneSiteOptions& options,
                                                 http::Handler& site) {
    if (const auto users = served_users(options); !users.empty())
        return std::unexpected{"--auth: " + users +
                               " is in the folder that is served; put it elsewhere"};
    return RulesAround::build(options.rules, site);
}

std::expected<ServedSites, std::string> ServedSites::open(ServeOptions& options) {
    ServedSites served;
    const auto added = options.sites.empty() ? served.add(options) : served.add_several(options);
    if (!added) return std::unexpected{added.error()};
    if (const ProxyOptions& proxies = options.proxies; !proxies.trust.empty())
        served.outermost_ =
            std::make_unique<rules::TrustedProxies>(proxies.trust, proxies.field, served.handler());
    return served;
}

std::expected<void, std::string> ServedSites::add(OneSiteOptions& options) {
    auto site = open_site(options);
    if (!site) return std::unexpected{std::move(site.error())};
    std::unique_ptr<http::Handler> archives;
    if (options.site.listing_archives) {
        auto folders = archive::Folders::around(**site, options.site);
        if (!folders) return std::unexpected{std::move(folders.error())};
        archives = std::move(*folders);
    }
    http::Handler& whole = archives ? *archives : **site;
    auto compressor = compressor_around(whole, options.compress);
    if (!compressor) return std::unexpected{std::move(compressor.error())};
    auto rules = surround(options, *compressor ? **compressor : whole);
    if (!rules) return std::unexpected{std::move(rules.error())};
    sites_.push_back({std::move(*site), std::move(archives), std::move(*compressor),
                      std::move(*rules), options.site});
    return {};
}

std::expected<void, std::string> ServedSites::add_several(ServeOptions& options) {
    for (NamedSite& named : options.sites) {
        divide(named.options.site.cache, options.sites.size(), named.has_own_cache);
        names_.push_back(name_of(named));
        if (auto added = add(named.options); !added)
            return std::unexpected{"site " + names_.back() + ": " + added.error()};
    }
    choose_among(options.sites);
    return {};
}

void ServedSites::choose_among(const std::vector<NamedSite>& sites) {
    static NoSite none;
    http::Handler* otherwise = &none;
    std::vector<std::pair<std::string, http::Handler*>> named;
    for (std::size_t index = 0; index < sites.size(); ++index) {
        const config::SiteHead& head = sites[index].head;
        http::Handler* const site = &sites_[index].rules.outermost();
        if (head.is_default) otherwise = site;
        for (const std::string& name : head.names) named.emplace_back(name, site);
    }
    hosts_ = std::make_unique<rules::Hosts>(std::move(named), otherwise);
}

http::Handler& ServedSites::handler() noexcept {
    if (outermost_) return *outermost_;
    if (hosts_) return *hosts_;
    return sites_.front().rules.outermost();
}

std::vector<std::string> ServedSites::reads() const {
    std::vector<std::string> all;
    for (const Served& one : sites_) {
        all.push_back(one.options.root);
        all.insert(all.end(), one.rules.reads().begin(), one.rules.reads().end());
    }
    return all;
}

std::string ServedSites::in_words() const {
    if (!hosts_) return absolute(sites_.front().options);
    constexpr std::size_t shown_max = 3;
    std::string text =
        std::to_string(names_.size()) + (names_.size() == 1 ? " site: " : " sites: ");
    for (std::size_t index = 0; index < std::min(names_.size(), shown_max); ++index)
        text += (index > 0 ? ", " : "") + names_[index];
    return names_.size() > shown_max ? text + ", ..." : text;
}

bool ServedSites::lacks_index() const {
    if (hosts_) return false;
    const site::Options& site = sites_.front().options;
    std::error_code error;
    const std::filesystem::path root{site.root};
    if (site.listing || !site.file.empty() || !std::filesystem::is_directory(root, error))
        return false;
    return std::ranges::none_of(site.index_names, [&](const std::string& name) {
        return std::filesystem::exists(root / name, error);
    });
}

void ServedSites::resume_watching() {
    for (const Served& one : sites_) one.site->resume_watching();
}

bool ServedSites::watching() const {
    return std::ranges::all_of(sites_, [](const Served& one) { return one.site->watching(); });
}

}  // namespace weir::cli

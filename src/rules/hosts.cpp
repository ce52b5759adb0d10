#include "rules/hosts.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "http/head/authority.h"
#include "rules/host_name.h"

namespace weir::rules {
namespace {

[[noreturn]] void refuse(const std::string& name, const char* why) {
    throw std::invalid_argument{"'" + name + "' " + why};
}

/// "*.example.org" becomes ".example.org".
std::string key_of(const std::string& name) {
    const bool is_wildcard = name.starts_with("*.");
    const std::string_view host = std::string_view{name}.substr(is_wildcard ? 2 : 0);
    const HostName normal{host};
    if (!http::is_authority(host, http::Port::optional) || normal.text().empty() ||
        host.contains('*') || normal.text().size() + (host.ends_with('.') ? 1 : 0) != host.size())
        refuse(name, "is no host such as example.org or *.example.org (without a port)");
    return (is_wildcard ? "." : "") + std::string{normal.text()};
}

}  // namespace

Hosts::Hosts(std::vector<std::pair<std::string, http::Handler*>> sites, http::Handler* otherwise)
    : sites_{std::move(sites)}, otherwise_{otherwise} {
    for (Site& site : sites_) site.first = key_of(site.first);
    std::ranges::sort(sites_, {}, &Site::first);
    const auto twice = std::ranges::adjacent_find(sites_, {}, &Site::first);
    if (twice != sites_.end()) refuse(twice->first, "is the name of two sites");
}

http::Reply Hosts::handle(const http::Request& request) {
    http::Handler* const site = find(HostName{request.authority()}.text());
    if (site == nullptr) return http::error_response(http::Status::not_found);
    return site->handle(request);
}

http::Handler* Hosts::find(std::string_view host) const noexcept {
    if (http::Handler* const site = find_exactly(host)) return site;
    // ".b.example.org" of "a.b.example.org", then ".example.org", then ".org".
    for (auto dot = host.find('.', 1); dot != host.npos; dot = host.find('.', dot + 1))
        if (http::Handler* const site = find_exactly(host.substr(dot))) return site;
    return otherwise_;
}

http::Handler* Hosts::find_exactly(std::string_view name) const noexcept {
    const auto found = std::ranges::lower_bound(sites_, name, {}, &Site::first);
    return found != sites_.end() && found->first == name ? found->second : nullptr;
}

}  // namespace weir::rules

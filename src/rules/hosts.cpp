#include "weir/rules/hosts.h"

#include <algorithm>
#include <memory>

#include "http/syntax/authority.h"
#include "rules/hosts.h"
#include "rules/moves/host_name.h"

namespace weir::rules {

namespace {

bool is_label_character(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// A name of labels (RFC 1123 2.1, and "_"), in lower case. Names in other scripts are as in the
/// DNS, "xn--..." (RFC 5890).
bool is_name(std::string_view name) noexcept {
    constexpr std::size_t label_max = 63, name_max = 253;
    if (name.size() > name_max) return false;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const auto label = name.substr(begin, end - begin);
        if (label.empty() || label.size() > label_max) return false;
        if (!std::ranges::all_of(label, is_label_character)) return false;
        begin = end + 1;
    }
    return true;
}

bool is_ipv6(std::string_view host) noexcept {
    return host.starts_with('[') && http::is_authority(host, http::Port::optional);
}

}  // namespace

std::optional<std::string> host_key(std::string_view name) {
    const bool is_wildcard = name.starts_with("*.");
    const std::string_view host = name.substr(is_wildcard ? 2 : 0);
    const HostName normal{host};
    const bool has_port = normal.text().size() + (host.ends_with('.') ? 1 : 0) != host.size();
    if (has_port || !(is_name(normal.text()) || (is_ipv6(host) && !is_wildcard)))
        return std::nullopt;
    return (is_wildcard ? "." : "") + std::string{normal.text()};
}

std::expected<void, std::string> ByHost::add(const std::string& name, http::Handler& handler) {
    auto key = host_key(name);
    if (!key)
        return std::unexpected{"'" + name +
                               "' is no host; write example.org, or *.example.org for all names "
                               "below it, without a port"};
    const auto place = std::ranges::lower_bound(sites_, *key, {}, &Site::first);
    if (place != sites_.end() && place->first == *key)
        return std::unexpected{"two sites have the host '" + name + "'"};
    sites_.emplace(place, std::move(*key), &handler);
    return {};
}

http::Reply ByHost::handle(const http::Request& request) {
    if (http::Handler* const handler = chosen(request)) return handler->handle(request);
    constexpr auto misdirected = static_cast<http::Status>(421);
    return http::error_response(misdirected);
}

http::Handler* ByHost::chosen(const http::Request& request) const noexcept {
    const HostName name{request.authority()};
    const std::string_view host = name.text();
    if (const Site* const site = find(host)) return site->second;
    // ".b.example.org" of "a.b.example.org", then ".example.org", then ".org".
    for (auto dot = host.find('.', 1); dot < host.size(); dot = host.find('.', dot + 1))
        if (const Site* const site = find(host.substr(dot))) return site->second;
    return otherwise_;
}

const ByHost::Site* ByHost::find(std::string_view name) const noexcept {
    const auto found = std::ranges::lower_bound(sites_, name, {}, &Site::first);
    return found != sites_.end() && found->first == name ? &*found : nullptr;
}

std::expected<std::unique_ptr<http::Handler>, std::string> choose_by_host(
    const std::vector<HostHandler>& handlers, http::Handler* otherwise) {
    auto hosts = std::make_unique<ByHost>(otherwise);
    for (const HostHandler& each : handlers)
        for (const std::string& name : each.names)
            if (const auto added = hosts->add(name, *each.handler); !added)
                return std::unexpected{added.error()};
    return hosts;
}

}  // namespace weir::rules

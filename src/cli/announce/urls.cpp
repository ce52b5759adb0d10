#include "cli/announce/urls.h"

#include <algorithm>

#include "net/address.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

std::string url(std::string_view scheme, const net::Address& address) {
    return std::string{scheme} + "://" + address.text() + "/";
}

void append_any(Urls& urls, const net::Address& listening,
                std::span<const std::string> machine_addresses, std::string_view scheme) {
    const bool is_ipv4 = listening.family() == AF_INET;
    const auto port = listening.port();
    // 127.0.0.1 always exists, but IPv6 may be switched off.
    const std::string by_ipv4 = url(scheme, *net::Address::parse("127.0.0.1", port));
    if (is_ipv4)
        urls.here.push_back(by_ipv4);
    else if (std::ranges::find(urls.here, by_ipv4) == urls.here.end())
        urls.here.push_back(url(scheme, *net::Address::parse("::1", port)));
    for (const std::string& host : machine_addresses) {
        const auto address = net::Address::parse(host, port);
        if (address && address->family() == listening.family())
            urls.others.push_back(url(scheme, *address));
    }
}

}  // namespace

Urls urls_of(std::span<const std::string> addresses, std::span<const std::string> machine_addresses,
             std::string_view scheme) {
    Urls urls;
    for (const std::string& text : addresses) {
        const auto listening = server::parse_endpoint(text, 0);
        if (!listening || listening->is_unix()) continue;
        if (listening->is_any())
            append_any(urls, *listening, machine_addresses, scheme);
        else
            (listening->is_loopback() ? urls.here : urls.others).push_back(url(scheme, *listening));
    }
    return urls;
}

}  // namespace weir::cli

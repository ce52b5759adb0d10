#pragma once

#include <string>
#include <vector>

#include "weir/access/networks.h"
#include "weir/access/passwords.h"
#include "weir/access/proxies.h"
#include "weir/access/rates.h"
#include "weir/access/signed_links.h"

namespace weir::cli {

/// Networks of proxies whose statements about their clients are trusted.
struct ProxyOptions {
    std::vector<std::string> trusted;  // in a field of each request
    access::ForwardedField field = access::ForwardedField::x_forwarded_for;
    std::vector<std::string> proxy_protocol;  // in a header before the first request
};

/// Options that limit access to a site.
struct AccessOptions {
    access::PasswordOptions passwords;  // no rules: no password is needed
    bool passwords_over_plain = false;
    std::vector<access::SignedRule> signed_links;  // empty: no path needs a signed link
    std::vector<access::NetworkRule> networks;     // empty: all clients may send requests
    std::vector<access::RateRule> rates;           // empty: no limit
    ProxyOptions proxies;
};

}  // namespace weir::cli

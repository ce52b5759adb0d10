#pragma once

#include <string>
#include <vector>

#include "weir/access/networks.h"
#include "weir/access/passwords.h"
#include "weir/access/proxies.h"
#include "weir/access/rates.h"
#include "weir/access/signed_links.h"

namespace weir::cli {

/// Which proxies are believed what they say of their clients: networks.
struct ProxyOptions {
    std::vector<std::string> trusted;  // in a field of each request
    access::ForwardedField field = access::ForwardedField::x_forwarded_for;
    std::vector<std::string> proxy_protocol;  // in a header before the first request
};

/// Who may see what is served.
struct AccessOptions {
    access::PasswordOptions passwords;  // no rules: nobody is asked
    bool passwords_over_plain = false;
    std::vector<access::SignedRule> signed_links;  // none: nothing needs one
    std::vector<access::NetworkRule> networks;     // none: all may ask
    std::vector<access::RateRule> rates;           // none: as often as they like
    ProxyOptions proxies;
};

}  // namespace weir::cli

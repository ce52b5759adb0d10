#pragma once

#include <vector>

#include "weir/access/networks.h"
#include "weir/access/passwords.h"
#include "weir/access/rates.h"
#include "weir/access/signed_links.h"

namespace weir::cli {

/// Who may see what is served.
struct AccessOptions {
    access::PasswordOptions passwords;  // no rules: nobody is asked
    bool passwords_over_plain = false;
    std::vector<access::SignedRule> signed_links;  // none: nothing needs one
    std::vector<access::NetworkRule> networks;     // none: all may ask
    std::vector<access::RateRule> rates;           // none: as often as they like
};

}  // namespace weir::cli

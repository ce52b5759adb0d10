#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/access/access.h"
#include "rules/prefix.h"
#include "rules/redirect/moves.h"

namespace weir::cli {

/// Who may see some paths: the users of an htpasswd file.
struct AuthOption {
    rules::Paths paths;
    std::string file;
};

/// The rules around a site.
struct RuleOptions {
    std::vector<AuthOption> auth;
    std::string realm = "weir";
    std::uint32_t auth_tries = 10;  // in a minute; 0: no limit
    std::vector<rules::AccessRule> access;
    std::vector<rules::Move> redirects;
    std::vector<rules::Move> rewrites;
    std::optional<rules::PrefixPath> prefix;
    std::string maintenance;  // a file; empty: none
    std::vector<rules::Network> maintenance_allow;
    bool security_headers = false;
};

}  // namespace weir::cli

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "cli/config/site_head.h"
#include "cli/config/sources.h"
#include "cli/options/launch_options.h"
#include "cli/options/no_options.h"
#include "cli/readers/compress_reader.h"
#include "cli/readers/proxies_reader.h"
#include "cli/readers/rule_options.h"
#include "weir/site/site.h"

namespace weir::cli {

/// The options of a server with one site, or of one of its several sites.
struct OneSiteOptions : LaunchOptions {
    site::Options site;
    RuleOptions rules;
    CompressOptions compress;
    ProxyOptions proxies;
    bool no_listing = false;
    bool open = false;   // open a browser
    bool qr = false;     // show a QR code for the address that other machines reach
    std::string config;  // the file of settings; empty: none
    std::vector<std::string> print_config;  // --print-config: the last one is what is wanted
};

/// One of several sites.
struct NamedSite {
    config::SiteHead head;
    config::Place place;         // in the file
    bool has_own_cache = false;  // a cache-size of its own, not a share of the whole
    OneSiteOptions options;      // those that are the same for all sites, too
};

struct ServeOptions : OneSiteOptions {
    /// The sites of the file, in place of `site`. Empty: there is one site.
    std::vector<NamedSite> sites;
    /// The text that --print-config asks for, in place of a server.
    std::optional<std::string> printed;
};

/// Reads the arguments of `weir serve`, then the environment variables of the options that the
/// arguments do not set (WEIR_SOME_NAME for --some-name), then the file of --config. Checks whether
/// the path is a folder or a file, but not whether the server can open it or listen on its
/// addresses.
std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments);
std::expected<ServeOptions, NoOptions> serve_options_from(const Sources& sources);

/// What these sources say, as a file of settings that says the same: what --print-config prints, or
/// --print-config=all with `everything`. Paths are absolute.
std::expected<std::string, NoOptions> normal_form(const Sources& sources, bool everything = false);

}  // namespace weir::cli

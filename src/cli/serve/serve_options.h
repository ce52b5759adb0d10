#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "cli/access/access_options.h"
#include "cli/config/site_head.h"
#include "cli/config/sources.h"
#include "cli/option/no_options.h"
#include "cli/options/launch_options.h"
#include "cli/readers/compress_reader.h"
#include "cli/readers/forward_reader.h"
#include "cli/readers/live_reader.h"
#include "cli/readers/markdown_reader.h"
#include "cli/readers/reload_reader.h"
#include "cli/readers/rules_reader.h"
#include "cli/readers/upload_reader.h"
#include "weir/site/site.h"

namespace weir::cli {

/// The options of a site: its content, and how the server serves it.
struct SiteOptions {
    site::Options site;
    CompressOptions compress;
    AccessOptions access;
    RuleOptions rules;
    MarkdownOptions markdown;
    UploadOptions upload;
    ForwardOptions forward;
    LiveOptions live;
    bool no_listing = false;
};

/// A site of several.
struct NamedSite {
    config::SiteHead head;
    config::Place place;         // in the file
    bool has_own_cache = false;  // has a cache-size of its own, not a share of the whole
    SiteOptions options;
};

struct ServeOptions : LaunchOptions, SiteOptions {
    /// The sites of the file, which replace `site`. Empty: there is one site.
    std::vector<NamedSite> sites;
    std::string config;                     // the configuration file; empty: none
    std::vector<std::string> print_config;  // --print-config: the last value counts
    /// The output of --print-config, instead of a server.
    std::optional<std::string> printed;
    ReloadOptions reload;
    /// The same text, for a server that can be reloaded; nothing if no file can have the options.
    std::optional<std::string> settings;
    bool open = false;  // open a browser
    bool qr = false;    // show a QR code for the address that other machines reach
    /// The same text without hashes of passwords, for --admin; empty if there is no --admin.
    std::string admin_settings;

    /// True if there is a file to read again, or a socket on which a client may request it.
    bool can_be_reloaded() const { return !config.empty() || reload.control.has_value(); }
};

/// Reads the arguments of `weir serve`, then the environment variables of the options that the
/// arguments do not set (WEIR_SOME_NAME for --some-name), then the file of --config. Checks whether
/// the path is a folder or a file, but not whether the server can open it or listen on its
/// addresses.
std::expected<ServeOptions, NoOptions> parse_serve_options(std::vector<std::string> arguments);
std::expected<ServeOptions, NoOptions> serve_options_from(const Sources& sources);

Page serve_page();

}  // namespace weir::cli

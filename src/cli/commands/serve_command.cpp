#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/announce/qr_code.h"
#include "cli/beside/name_server.h"
#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/launch/launch.h"
#include "cli/launch/secrets.h"
#include "cli/reload/generation.h"
#include "cli/serve/listing_choice.h"
#include "cli/serve/serve_options.h"
#include "cli/sites/forward_around.h"
#include "cli/sites/servable.h"
#include "cli/sites/served_sites.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

constexpr std::string_view command = "weir serve";

void tell_notices(site::Options& site) {
    site.notice = [](std::string_view sentence) {
        server::standard_error_log().write(server::Severity::info, sentence);
    };
}

void tell_of_manifest(site::Options& site) {
    site.tags_manifest.notice = [root = site.root + "/"](std::string_view sentence) {
        server::standard_error_log().write(server::Severity::warning, root + std::string{sentence});
    };
}

std::vector<SiteOptions*> all_sites(ServeOptions& options) {
    std::vector<SiteOptions*> all;
    all.reserve(options.sites.size() + 1);
    for (NamedSite& site : options.sites) all.push_back(&site.options);
    if (all.empty()) all.push_back(&options);
    return all;
}

/// Completes the options of each site that depend on other options. Returns the reason why a site
/// can't be served; empty if all can.
std::string prepare(ServeOptions& options, const std::shared_ptr<NameServer>& name_server) {
    const auto secrets = secrets_of(options);
    auto kept_back = withheld(secrets);
    if (!options.config.empty()) kept_back.push_back(options.config);
    for (SiteOptions* const each : all_sites(options)) {
        site::Options& site = each->site;
        if (auto why = why_not_served(site, secrets); !why.empty()) return why;
        site.withheld = kept_back;
        std::ranges::move(keys_below(site), std::back_inserter(site.withheld));
        choose_listing(*each, options.server.addresses);
        if (options.verbose) tell_notices(site);
        tell_of_manifest(site);
        allow_for_servers(options.server.timeouts, each->forward);
        each->forward.head_bytes_max = options.server.limits.head_bytes_max;
        each->forward.look_up = [name_server](const std::string& name) {
            return name_server->look_up(name);
        };
    }
    return {};
}

void tell_of_engine(ServeOptions& options) {
    const std::string concern = concern_of(options.server.engine);
    if (concern.empty()) return;
    const auto sites = all_sites(options);
    if (std::ranges::any_of(sites, [](const auto* site) { return !site->forward.routes.empty(); }))
        server::standard_error_log().write(server::Severity::warning, concern);
}

}  // namespace

int serve(std::vector<std::string> arguments) {
    auto options = parse_serve_options(std::move(arguments));
    if (!options) return tell(options.error());
    if (options->printed) return say(*options->printed);
    if (options->qr && !can_make_qr_codes()) {
        say_error(
            "weir serve: --qr: this build has no libqrencode; install libqrencode-dev and rebuild, or "
            "use the Debian package\n");
        return exit_code::wrong_use;
    }
    if (const auto exit_code = supervise(command, *options)) return *exit_code;
    const auto name_server = std::make_shared<NameServer>();
    if (const auto why = prepare(*options, name_server); !why.empty()) return fail(command, why);
    const auto sites = ServedSites::open(*options);
    if (!sites) return fail(command, sites.error());
    tell_of_engine(*options);
    options->server.access_log.user = sites->user();
    if (const auto& networks = options->access.proxies.proxy_protocol; !networks.empty())
        options->server.proxy_protocol = *access::is_one_of(networks);
    options->server.worker_started = [&sites] { sites->resume_watching(); };
    return launch({.command = command,
                   .served = sites->in_words(),
                   .handler = sites->handler(),
                   .options = *options,
                   .shows_requests = true,
                   .opens_browser = options->open && is_first_generation(),
                   .shows_qr_code = options->qr,
                   .has_no_index = sites->lacks_index(),
                   .reads = sites->reads(),
                   .follows = sites->follows(),
                   .looks_into = sites->looks_into(),
                   .writes = sites->writes(),
                   .changes = sites->changes(),
                   .ports = sites->ports(),
                   .connects_to_unix_sockets = sites->has_unix_sockets(),
                   .admin_settings = options->admin_settings,
                   .start_processes = [&] { return name_server->start(sites->names()); },
                   .start_threads = options->server.worker_started,
                   .stopping = [&sites] { sites->end_streams(); },
                   .watches_files = [&sites] { return sites->watching(); }});
}

}  // namespace weir::cli

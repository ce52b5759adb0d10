#include <algorithm>
#include <utility>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/launch/generation.h"
#include "cli/launch/launch.h"
#include "cli/launch/qr_code.h"
#include "cli/launch/served_sites.h"
#include "cli/options/serve_options.h"
#include "server/endpoint.h"

namespace weir::cli {
namespace {

constexpr std::string_view command = "weir serve";

/// A proxy that speaks TLS for weir is usually on the same machine.
void warn_of_plain_passwords(const ServeOptions& options) {
    const bool asks = !options.rules.auth.empty() ||
                      std::ranges::any_of(options.sites, [](const NamedSite& site) {
                          return !site.options.rules.auth.empty();
                      });
    if (!asks || options.tls.on || server::are_local(options.server.addresses)) return;
    say_error(
        "weir serve: warning: --auth without --tls: whoever can read the network can read the "
        "passwords\n");
}

}  // namespace

int serve(std::vector<std::string> arguments) {
    auto options = parse_serve_options(std::move(arguments));
    if (!options) return tell(options.error());
    if (options->qr && !options->printed && !can_make_qr_codes()) {
        say_error(
            "weir serve: --qr: this build has no libqrencode; install libqrencode-dev and rebuild, or "
            "use the Debian package\n");
        return exit_code::wrong_use;
    }
    if (options->printed) return say(*options->printed);
    if (const auto exit_code = supervise(command, *options)) return *exit_code;
    auto sites = ServedSites::open(*options);
    if (!sites) return fail(command, sites.error());
    warn_of_plain_passwords(*options);
    options->server.worker_started = [&sites = *sites] { sites.resume_watching(); };
    return launch({.command = command,
                   .served = sites->in_words(),
                   .handler = sites->handler(),
                   .options = *options,
                   .shows_requests = true,
                   .opens_browser = options->open,
                   .shows_qr_code = options->qr,
                   .has_no_index = sites->lacks_index(),
                   .reads = sites->reads(),
                   .start_threads = options->server.worker_started,
                   .watches_files = [&sites = *sites] { return sites.watching(); }});
}

}  // namespace weir::cli

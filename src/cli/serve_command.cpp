#include <filesystem>
#include <utility>

#include "cli/command.h"
#include "cli/launch.h"
#include "cli/output.h"
#include "cli/serve_options.h"

namespace weir::cli {
namespace {

constexpr std::string_view command = "weir serve";

std::string absolute(const std::string& root) {
    std::error_code error;
    const auto path = std::filesystem::canonical(root, error);
    return error ? root : path.string();
}

}  // namespace

int serve(std::vector<std::string> arguments) {
    auto options = parse_serve_options(std::move(arguments));
    if (!options) return tell(options.error());
    const auto site = site::Site::open(options->site);
    if (!site) return fail(command, site.error());
    options->server.worker_started = [&site = **site] { site.resume_watching(); };
    return launch({.command = command,
                   .served = absolute(options->site.root),
                   .handler = **site,
                   .options = *options,
                   .shows_requests = true});
}

}  // namespace weir::cli

#include <filesystem>
#include <utility>

#include "cli/command.h"
#include "cli/launch.h"
#include "cli/listing_choice.h"
#include "cli/output.h"
#include "cli/serve_options.h"

namespace weir::cli {
namespace {

constexpr std::string_view command = "weir serve";

/// As the banner has it: absolute.
std::string served(const site::Options& site) {
    std::error_code error;
    auto path = std::filesystem::canonical(site.root, error);
    if (error) path = site.root;
    if (!site.file.empty()) path /= site.file;
    return path.string();
}

}  // namespace

int serve(std::vector<std::string> arguments) {
    auto options = parse_serve_options(std::move(arguments));
    if (!options) return tell(options.error());
    choose_listing(*options);
    const auto site = site::Site::open(options->site);
    if (!site) return fail(command, site.error());
    options->server.worker_started = [&site = **site] { site.resume_watching(); };
    return launch({.command = command,
                   .served = served(options->site),
                   .handler = **site,
                   .options = *options});
}

}  // namespace weir::cli

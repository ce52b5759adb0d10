#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/launch/access_around.h"
#include "cli/launch/compress_setup.h"
#include "cli/launch/launch.h"
#include "cli/launch/qr_code.h"
#include "cli/launch/secrets.h"
#include "cli/options/listing_choice.h"
#include "cli/options/serve_options.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

constexpr std::string_view command = "weir serve";

std::string kind_of(mode_t mode) {
    if (S_ISFIFO(mode)) return "is a pipe";
    if (S_ISSOCK(mode)) return "is a socket (--bind unix:PATH listens on one)";
    return "is a device";
}

/// What cannot be served, although it is there. Empty if it may be.
std::string refusal(const std::string& root) {
    struct stat status{};
    if (::stat(root.c_str(), &status) != 0) return {};
    const std::string what = "cannot serve '" + root + "': ";
    if (S_ISDIR(status.st_mode) && status.st_nlink == 0) return what + "the folder was deleted";
    if (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)) return {};
    return what + "it " + kind_of(status.st_mode) + ", and neither a folder nor a regular file";
}

/// The absolute path, for the banner. Its links stay: they may lead elsewhere later.
std::string served(const site::Options& site) {
    std::error_code error;
    auto path = std::filesystem::absolute(site.root, error).lexically_normal() / site.file;
    if (path.has_relative_path() && !path.has_filename()) path = path.parent_path();
    return path.string();
}

/// The folder in which the root's files are now.
std::string folder_of_files(const site::Options& site) {
    std::error_code error;
    if (site.file.empty()) return site.root;
    const auto file =
        std::filesystem::canonical(std::filesystem::path{site.root} / site.file, error);
    return error ? site.root : file.parent_path().string();
}

std::vector<std::string> reads(const ServeOptions& options) {
    auto all = files_read(options.access);
    all.push_back(folder_of_files(options.site));
    return all;
}

/// Folders from which it may be served later.
std::vector<std::string> places(const site::Options& site) {
    auto all = site::places_of_root(site.root);
    if (site.file.empty()) return all;
    for (auto& place : site::places_of_root(std::filesystem::path{site.root} / site.file))
        if (std::ranges::find(all, place) == all.end()) all.push_back(std::move(place));
    std::ranges::sort(all);
    return all;
}

/// True if "/" gets a 404: the root is a folder without an index file, and it is not listed.
bool lacks_index(const site::Options& site) {
    std::error_code error;
    const std::filesystem::path root{site.root};
    if (site.listing || !site.file.empty() || !std::filesystem::is_directory(root, error))
        return false;
    return std::ranges::none_of(site.index_names, [&](const std::string& name) {
        return std::filesystem::exists(root / name, error);
    });
}

}  // namespace

int serve(std::vector<std::string> arguments) {
    auto options = parse_serve_options(std::move(arguments));
    if (!options) return tell(options.error());
    if (options->qr && !can_make_qr_codes()) {
        say_error(
            "weir serve: --qr: this build has no libqrencode; install libqrencode-dev and rebuild, or "
            "use the Debian package\n");
        return exit_code::wrong_use;
    }
    if (const auto why = refusal(options->site.root); !why.empty()) return fail(command, why);
    const auto secrets = secrets_of(*options);
    if (const auto why = exposed(secrets, options->site); !why.empty()) return fail(command, why);
    options->site.withheld = withheld(secrets);
    choose_listing(*options);
    options->site.cache.watches_from_start = false;
    if (options->verbose)
        options->site.notice = [](std::string_view sentence) {
            server::standard_error_log().write(server::Severity::info, sentence);
        };
    const auto site = site::Site::open(options->site);
    if (!site) return fail(command, site.error());
    const auto compressor = compressor_around(**site, options->compress);
    if (!compressor) return fail(command, compressor.error());
    http::Handler& inner = *compressor ? static_cast<http::Handler&>(**compressor) : **site;
    const auto around = AccessAround::build(*options, inner);
    if (!around) return fail(command, around.error());
    options->server.access_log.user = around->user();
    if (const auto& networks = options->access.proxies.proxy_protocol; !networks.empty())
        options->server.proxy_protocol = *access::is_one_of(networks);
    options->server.worker_started = [&site = **site] { site.resume_watching(); };
    return launch({.command = command,
                   .served = served(options->site),
                   .handler = around->outermost(),
                   .options = *options,
                   .shows_requests = true,
                   .opens_browser = options->open,
                   .shows_qr_code = options->qr,
                   .has_no_index = lacks_index(options->site),
                   .reads = reads(*options),
                   .follows = places(options->site),
                   .looks_into = folders_read(*options),
                   .start_threads = options->server.worker_started,
                   .watches_files = [&site = **site] { return site.watching(); }});
}

}  // namespace weir::cli

#include "cli/sites/served_site.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/launch/compress_setup.h"
#include "cli/sites/archives_around.h"
#include "cli/sites/challenges_around.h"
#include "cli/sites/forward_around.h"
#include "cli/sites/kept_back.h"
#include "cli/sites/live_around.h"
#include "weir/markdown/markdown.h"
#include "weir/rules/folder_rules.h"
#include "weir/upload/upload.h"

namespace weir::cli {
namespace {

/// The folder that now holds the root's files.
std::string folder_of_files(const site::Options& site) {
    std::error_code error;
    if (site.file.empty()) return site.root;
    const auto file =
        std::filesystem::canonical(std::filesystem::path{site.root} / site.file, error);
    return error ? site.root : file.parent_path().string();
}

/// Shows README files as HTML, if the build has a renderer.
void show_readmes(site::Options& site) {
    if (!site.listing) return;
    const auto renderer = markdown::Renderer::open();
    if (!renderer) return;
    site.readme_html = [renderer = *renderer](std::string_view text) {
        constexpr int below_its_name = 3;
        auto rendered = renderer.render(text, below_its_name);
        return rendered ? std::optional{std::move(rendered->html)} : std::nullopt;
    };
}

bool has_other_contents(const SiteOptions& options) {
    return options.site.listing_archives || options.markdown.on || options.live.reload ||
           !options.upload.folders.empty();
}

void leave_out_what_is_kept_back(SiteOptions& options) {
    auto rules = kept_back(options);
    if (rules.keeps_nothing()) return;
    options.site.leaves_out = [rules = std::move(rules)](const site::Candidate& one) {
        return rules.keeps_back(one);
    };
}

}  // namespace

std::expected<std::unique_ptr<ServedSite>, std::string> ServedSite::open(SiteOptions options) {
    options.site.cache.watches_from_start = false;
    // A reloaded page must not get an old cache entry from a thread that has not heard of the
    // change yet.
    if (options.live.reload) options.site.cache.entries_max = options.site.cache.watches_max = 0;
    if (options.rules.folder_rules)
        options.site.hidden.insert(options.site.hidden.end(), rules::folder_rule_files.begin(),
                                   rules::folder_rule_files.end());
    if (!options.upload.folders.empty()) options.site.hidden.emplace_back(upload::hidden_names);
    show_readmes(options.site);
    leave_out_what_is_kept_back(options);
    std::unique_ptr<ServedSite> served{new ServedSite{std::move(options)}};
    if (const auto built = served->build(); !built) return std::unexpected{built.error()};
    return served;
}

ServedSite::ServedSite(SiteOptions options)
    : options_{std::move(options)},
      fields_of_contents_{options_, has_other_contents(options_)},
      fields_of_others_{options_, !options_.forward.routes.empty()} {}

std::expected<void, std::string> ServedSite::build() {
    auto site = site::Site::open(options_.site);
    if (!site) return std::unexpected{std::move(site.error())};
    site_ = std::move(*site);
    http::Handler& served = fields_of_contents_.inside(*site_);
    auto uploads = uploads_around(served, options_);
    if (!uploads) return std::unexpected{std::move(uploads.error())};
    uploads_ = std::move(*uploads);
    http::Handler& taking = uploads_.handler ? *uploads_.handler : served;
    auto archives = archives_around(taking, options_);
    if (!archives) return std::unexpected{std::move(archives.error())};
    archives_ = std::move(*archives);
    http::Handler& files = archives_ ? *archives_ : taking;
    if (options_.markdown.on) {
        auto pages = markdown::show_pages(files);
        if (!pages) return std::unexpected{"--markdown: " + pages.error()};
        pages_ = std::move(*pages);
    }
    http::Handler& contents = pages_ ? *pages_ : files;
    auto live = live_around(contents, options_);
    if (!live) return std::unexpected{std::move(live.error())};
    live_ = std::move(*live);
    const auto whole =
        fields_of_contents_.outside(live_ ? *live_ : contents, rules::Preflights::always);
    if (!whole) return std::unexpected{whole.error()};
    auto compressor = compressor_around(**whole, options_.compress);
    if (!compressor) return std::unexpected{std::move(compressor.error())};
    compressor_ = std::move(*compressor);
    http::Handler& answering = fields_of_others_.inside(compressor_ ? *compressor_ : **whole);
    auto forward = forward_around(answering, options_.forward);
    if (!forward) return std::unexpected{std::move(forward.error())};
    forward_ = std::move(*forward);
    const auto inner =
        fields_of_others_.outside(forward_ ? *forward_ : answering, rules::Preflights::always);
    if (!inner) return std::unexpected{inner.error()};
    auto around = AccessAround::build(options_, *site_, **inner);
    if (!around) return std::unexpected{std::move(around.error())};
    around_ = std::move(*around);
    outermost_ = &around_->outermost();
    if (live_) outermost_ = (finished_ = live_->finish(*outermost_)).get();
    return {};
}

std::expected<void, std::string> ServedSite::answer_challenges() {
    auto made = challenges_around(*outermost_, options_.site);
    if (!made) return std::unexpected{std::move(made.error())};
    challenges_ = std::move(*made);
    if (challenges_) outermost_ = challenges_.get();
    return {};
}

std::string ServedSite::user_of(const http::Request& request) const {
    std::string user = around_->user_of(request);
    return user.empty() && uploads_.passwords ? uploads_.passwords->user_of(request) : user;
}

void ServedSite::resume_watching() const {
    site_->resume_watching();
    if (live_) live_->watch();
}

std::string ServedSite::path() const {
    std::error_code error;
    const site::Options& site = options_.site;
    auto path = std::filesystem::absolute(site.root, error).lexically_normal() / site.file;
    if (path.has_relative_path() && !path.has_filename()) path = path.parent_path();
    return path.string();
}

bool ServedSite::lacks_index() const {
    std::error_code error;
    const site::Options& site = options_.site;
    const std::filesystem::path root{site.root};
    if (site.listing || !site.file.empty() || !std::filesystem::is_directory(root, error))
        return false;
    return std::ranges::none_of(site.index_names, [&](const std::string& name) {
        return std::filesystem::exists(root / name, error);
    });
}

std::vector<std::string> ServedSite::reads() const {
    auto all = files_read(options_);
    all.push_back(folder_of_files(options_.site));
    return all;
}

/// Folders from which the site may be served later.
std::vector<std::string> ServedSite::follows() const {
    const site::Options& site = options_.site;
    auto all = site::places_of_root(site.root);
    if (site.file.empty()) return all;
    for (auto& place : site::places_of_root(std::filesystem::path{site.root} / site.file))
        if (std::ranges::find(all, place) == all.end()) all.push_back(std::move(place));
    std::ranges::sort(all);
    return all;
}

}  // namespace weir::cli

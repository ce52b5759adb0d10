#include "access/request/request_path.h"

#include <algorithm>
#include <span>
#include <utility>

#include "http/syntax/lower_case.h"
#include "site/path/glob.h"
#include "site/path/readings.h"
#include "site/path/target_path.h"

namespace weir::access {
namespace {

constexpr std::string_view page_ending = ".html";

}  // namespace

RequestPath::RequestPath(std::string_view target) {
    if (target.size() > buffer_.size()) long_buffer_.resize(target.size());
    const std::span<char> room =
        long_buffer_.empty() ? std::span<char>{buffer_} : std::span<char>{long_buffer_};
    const auto path = site::target_path(target, room);
    if (!path) return;
    std::ranges::transform(room.first(path->size()), room.begin(),
                           [](char c) { return http::lower_case(c); });
    text_ = *path;
}

Addresses::Addresses(const site::Options& site) : clean_urls_{site.clean_urls} {
    for (const std::string& name : site.index_names) index_names_.push_back(http::lower_case(name));
    if (!site.file.empty())
        everywhere_ = {"/" + http::lower_case(site.file_name.empty() ? site.file : site.file_name)};
    else if (site.spa_fallback)
        for (const std::string& name : index_names_) everywhere_.push_back("/" + name);
}

std::vector<std::string> Addresses::behind(std::string_view path) const {
    std::vector<std::string> paths{std::string{path}};
    if (path.ends_with('/'))
        add_of_folder(paths, std::string{path});
    else
        add_originals(paths, path);
    if (clean_urls_) add_pages(paths);
    paths.insert(paths.end(), everywhere_.begin(), everywhere_.end());
    return paths;
}

void Addresses::add_of_folder(std::vector<std::string>& paths, const std::string& folder) const {
    for (const std::string& name : index_names_) paths.push_back(folder + name);
    for (const char* const readme :
         {"readme", "readme.md", "readme.txt", "readme.rst", "readme.markdown"})
        paths.push_back(folder + readme);
}

/// A compressed file has the content of the file beside it.
void Addresses::add_originals(std::vector<std::string>& paths, std::string_view path) {
    constexpr std::array<std::string_view, 3> suffixes{".br", ".zst", ".gz"};
    for (;;) {
        const auto* const suffix = std::ranges::find_if(
            suffixes, [&](std::string_view each) { return path.ends_with(each); });
        if (suffix == suffixes.end()) return;
        path.remove_suffix(suffix->size());
        paths.emplace_back(path);
    }
}

/// "/about" and "/about/" for "/about.html", and the other way round.
void Addresses::add_pages(std::vector<std::string>& paths) {
    for (std::size_t i = 0, end = paths.size(); i < end; ++i) {
        std::string_view path = paths[i];
        if (path.ends_with('/')) path.remove_suffix(1);
        std::string page = path.ends_with(page_ending)
                               ? std::string{path.substr(0, path.size() - page_ending.size())}
                               : std::string{path} + std::string{page_ending};
        paths.push_back(std::move(page));
    }
}

Paths::Paths(std::string_view glob) : glob_{site::tree_pattern(glob)} {}

bool Paths::contain(const std::vector<std::string>& behind) const {
    return behind.empty() || std::ranges::any_of(behind, [this](const std::string& path) {
               return site::tree_has(glob_, path);
           });
}

std::pair<std::size_t, std::size_t> Paths::rank() const noexcept {
    return {std::min(glob_.find_first_of("*?"), glob_.size()), glob_.size()};
}

std::string Paths::refusal(std::string_view glob) {
    return site::is_pattern(glob) ? std::string{} : site::not_a_pattern(glob);
}

Names names_behind(std::string_view target, const Addresses& addresses) {
    const RequestPath path{target};
    return path.text() ? addresses.behind(*path.text()) : Names{};
}

std::vector<Names> names_behind(const http::Request& request, const Addresses& addresses) {
    std::vector<Names> all;
    for (const std::string& path : site::readings_of(request.path()))
        all.push_back(names_behind(path, addresses));
    if (request.asked_path() == request.path()) return all;
    std::vector<Names> both;
    for (const std::string& path : site::readings_of(request.asked_path())) {
        const Names of_asked = names_behind(path, addresses);
        for (const Names& names : all) {
            Names& added = both.emplace_back();
            if (names.empty() || of_asked.empty()) continue;  // every rule is for it
            added = names;
            added.insert(added.end(), of_asked.begin(), of_asked.end());
        }
    }
    return both;
}

http::Response path_is_ambiguous() {
    return http::error_response(http::Status::bad_request,
                                "The path can be read in several ways, which have different rules");
}

}  // namespace weir::access

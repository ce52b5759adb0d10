#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/request.h"
#include "weir/site/site.h"

namespace weir::access {

/// The path of a request as a site reads it: decoded once, without dot segments and repeated slashes.
/// A rule that compared the bytes of the target could be passed by an escape or by `//`. Letters A to Z
/// are in lower case, because a file system may not tell them apart.
class RequestPath {
   public:
    explicit RequestPath(std::string_view target);
    RequestPath(const RequestPath&) = delete;
    RequestPath& operator=(const RequestPath&) = delete;

    /// Nothing if it is malformed or leads out of the root: a site answers 400 or 404.
    const std::optional<std::string_view>& text() const noexcept { return text_; }

   private:
    std::array<char, 512> buffer_;
    std::string long_buffer_;
    std::optional<std::string_view> text_;
};

/// How a site finds the file for a path, where that is not the file of this name: an index page, a page
/// without its extension, a compressed file, the page of an application, the README of a listing.
class Addresses {
   public:
    explicit Addresses(const site::Options& site);

    /// Under these names, too, what is behind `path` could be opened: it itself first.
    std::vector<std::string> behind(std::string_view path) const;

   private:
    void add_of_folder(std::vector<std::string>& paths, const std::string& folder) const;
    static void add_originals(std::vector<std::string>& paths, std::string_view path);
    static void add_pages(std::vector<std::string>& paths);

    std::vector<std::string> index_names_;
    std::vector<std::string> everywhere_;  // what any path may be answered with
    bool clean_urls_;
};

/// Which paths a rule is for: those that match a glob as in site::FieldRule, and all that is below
/// them. Letters A to Z match in either case.
class Paths {
   public:
    /// Empty: all.
    explicit Paths(std::string_view glob = {});

    /// `behind`: the path and its other names (Addresses); empty if the path cannot be read, which is
    /// among all paths, so that no rule is passed by it.
    bool contain(const std::vector<std::string>& behind) const;
    bool contain_all() const noexcept { return glob_.empty(); }
    /// Of two rules for a path, the one with the greater rank is the more special: more text in front
    /// of the first wildcard, then more text.
    std::pair<std::size_t, std::size_t> rank() const noexcept;

    /// Why the text is no glob; empty if it is one.
    static std::string refusal(std::string_view glob);

   private:
    std::string glob_;
};

/// Puts a rule (with its `paths`) where the most special one comes first, and of equal ones the last one.
template <typename Rule>
void insert_by_rank(std::vector<Rule>& rules, Rule rule) {
    const auto place = std::ranges::find_if(
        rules, [&](const Rule& other) { return other.paths.rank() <= rule.paths.rank(); });
    rules.insert(place, std::move(rule));
}

/// All names of what may be the answer to the path; empty if it cannot be read.
std::vector<std::string> names_behind(std::string_view target, const Addresses& addresses);
/// The same for a request: if another path is served in place of that which it asks for, of both.
std::vector<std::string> names_behind(const http::Request& request, const Addresses& addresses);

}  // namespace weir::access

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/request.h"
#include "weir/http/response.h"
#include "weir/site/site.h"

namespace weir::access {

/// The path of a request as a site reads it: decoded once, without dot segments and repeated
/// slashes. An escape or `//` could evade a rule that compared the bytes of the target. Letters A
/// to Z are in lower case, because a file system may not tell them apart.
class RequestPath {
   public:
    explicit RequestPath(std::string_view target);
    RequestPath(const RequestPath&) = delete;
    RequestPath& operator=(const RequestPath&) = delete;

    /// Null if the path is malformed or leads out of the root: a site responds with 400 or 404.
    const std::optional<std::string_view>& text() const noexcept { return text_; }

   private:
    std::array<char, 512> buffer_;
    std::string long_buffer_;
    std::optional<std::string_view> text_;
};

/// The other names of the file that a site finds for a path: an index page, a page without its
/// extension, a compressed file, the page of an application, the README of a listing.
class Addresses {
   public:
    explicit Addresses(const site::Options& site);

    /// All names under which the file of `path` could be opened; `path` is the first.
    std::vector<std::string> behind(std::string_view path) const;

   private:
    void add_of_folder(std::vector<std::string>& paths, const std::string& folder) const;
    static void add_originals(std::vector<std::string>& paths, std::string_view path);
    static void add_pages(std::vector<std::string>& paths);

    std::vector<std::string> index_names_;
    std::vector<std::string> everywhere_;  // files that any path may lead to
    bool clean_urls_;
};

/// The paths of a rule: those that match a glob as in site::FieldRule, and all below them. Letters
/// A to Z match in either case.
class Paths {
   public:
    /// Empty: all paths.
    explicit Paths(std::string_view glob = {});

    /// `behind`: the path and its other names (Addresses). If it is empty, the path cannot be read,
    /// and every rule contains it, so that it evades none.
    bool contain(const std::vector<std::string>& behind) const;
    bool contain_all() const noexcept { return glob_.empty(); }
    /// Of two rules for a path, the one with the greater rank is the more specific: more text in
    /// front of the first wildcard, then more text.
    std::pair<std::size_t, std::size_t> rank() const noexcept;

    /// The reason why the text is no glob; empty if it is one.
    static std::string refusal(std::string_view glob);

   private:
    std::string glob_;
};

/// Inserts a rule (with its `paths`) so that the most specific one comes first, and of equal ones
/// the last inserted.
template <typename Rule>
void insert_by_rank(std::vector<Rule>& rules, Rule rule) {
    const auto place = std::ranges::find_if(
        rules, [&](const Rule& other) { return other.paths.rank() <= rule.paths.rank(); });
    rules.insert(place, std::move(rule));
}

/// All names of the file that a path may lead to; empty if the path cannot be read.
using Names = std::vector<std::string>;
Names names_behind(std::string_view target, const Addresses& addresses);
/// The same for a request: one list for each way to read its path (site::readings_of()). If another
/// path is served in place of the one that it asks for, each list has the names of both.
std::vector<Names> names_behind(const http::Request& request, const Addresses& addresses);

/// The rule for a request, or null if there is none.
template <typename Rule>
struct Choice {
    const Rule* rule = nullptr;
    bool is_ambiguous = false;  // its path can be read in two ways, which have different rules
};

/// `rules`: those with `paths`, the most specific one first.
template <typename Rule>
Choice<Rule> choose(const std::vector<Rule>& rules, const std::vector<Names>& readings) {
    Choice<Rule> chosen;
    for (const Names& names : readings) {
        const auto found = std::ranges::find_if(
            rules, [&names](const Rule& rule) { return rule.paths.contain(names); });
        if (found == rules.end()) continue;
        chosen.is_ambiguous |= chosen.rule != nullptr && chosen.rule != &*found;
        chosen.rule = &*found;
    }
    return chosen;
}

/// 400, for an ambiguous choice.
http::Response path_is_ambiguous();

}  // namespace weir::access

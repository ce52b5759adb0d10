#include "site/path/glob.h"
#include "http/syntax/lower_case.h"

#include <cstddef>
#include <vector>

namespace weir::site {

namespace {

/// 2 for `**`, 1 for `*`, 0 for any other beginning.
std::size_t star_size(std::string_view pattern) noexcept {
    if (pattern.starts_with("**")) return 2;
    return pattern.starts_with('*') ? 1 : 0;
}

/// Follows a text through a pattern, all ways at once: backtracking would take a time that is
/// exponential in the number of stars, and a peer chooses the text (the path of a 404 is matched
/// too).
class Ways {
   public:
    explicit Ways(std::string_view pattern)
        : pattern_{pattern}, reached_(pattern.size() + 1), before_(reached_) {
        reached_[0] = true;
        pass_stars();
    }

    void take(char c) {
        before_.swap(reached_);
        reached_.assign(before_.size(), false);
        for (std::size_t at = 0; at < pattern_.size(); ++at) {
            if (!before_[at]) continue;
            const std::size_t star = star_size(pattern_.substr(at));
            if (star == 2 || (star == 1 && c != '/')) reached_[at] = true;
            const bool fits = pattern_[at] == '?' ? c != '/' : pattern_[at] == c;
            if (star == 0 && fits) reached_[at + 1] = true;
        }
        pass_stars();
    }
    bool at_end() const { return reached_.back(); }

   private:
    /// A star may match nothing.
    void pass_stars() {
        for (std::size_t at = 0; at < pattern_.size(); ++at)
            if (const std::size_t star = star_size(pattern_.substr(at)); reached_[at] && star > 0)
                reached_[at + star] = true;
    }

    std::string_view pattern_;
    std::vector<bool> reached_;  // the pattern's first i characters match the text so far
    std::vector<bool> before_;   // the same without the last character
};

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
    Ways ways{pattern};
    for (const char c : text) ways.take(c);
    return ways.at_end();
}

bool path_matches(std::string_view pattern, std::string_view path) {
    if (pattern.empty()) return true;
    if (!pattern.starts_with('/')) path.remove_prefix(path.rfind('/') + 1);
    return glob_matches(pattern, path);
}

std::string tree_pattern(std::string_view pattern) {
    std::string tree = http::lower_case(pattern);
    for (const std::string_view below : {"/**", "/"})
        while (tree.ends_with(below)) tree.resize(tree.size() - below.size());
    if (tree == "**" || tree == "*") tree.clear();
    return tree;
}

bool tree_has(std::string_view pattern, std::string_view path) {
    if (pattern.empty()) return true;
    const bool is_plain = pattern.starts_with('/') && pattern.find_first_of("*?") == pattern.npos;
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        const std::string_view above = path.substr(0, end);
        if (is_plain ? above == pattern : path_matches(pattern, above)) return true;
        if (end == path.npos) return false;
    }
}

bool is_pattern(std::string_view text) noexcept {
    return text.starts_with('/') || text.find('/') == text.npos;
}

std::string not_a_pattern(std::string_view text) {
    return "the pattern '" + std::string{text} +
           "' contains '/', so it must begin with '/' or '/**/'";
}

}  // namespace weir::site

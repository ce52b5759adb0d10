// A glob matches what its definition says, and takes time that grows with pattern and text and no
// faster. The first line is the pattern, the rest is the text.

#include "site/path/glob.h"

#include <fnmatch.h>

#include <map>
#include <utility>

#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

/// The definition, and a table of what is known already.
class PlainGlob {
   public:
    PlainGlob(std::string_view pattern, std::string_view text) : pattern_{pattern}, text_{text} {}

    bool matches(std::size_t p = 0, std::size_t t = 0) {
        const auto [known, is_new] = known_.try_emplace({p, t}, false);
        if (is_new) known->second = find_out(p, t);
        return known->second;
    }

   private:
    bool find_out(std::size_t p, std::size_t t) {
        if (p == pattern_.size()) return t == text_.size();
        const bool has_text = t < text_.size();
        const bool has_name = has_text && text_[t] != '/';
        if (pattern_.substr(p).starts_with("**"))
            return matches(p + 2, t) || (has_text && matches(p, t + 1));
        if (pattern_[p] == '*') return matches(p + 1, t) || (has_name && matches(p, t + 1));
        const bool fits = pattern_[p] == '?' ? has_name : has_text && pattern_[p] == text_[t];
        return fits && matches(p + 1, t + 1);
    }

    std::string_view pattern_, text_;
    std::map<std::pair<std::size_t, std::size_t>, bool> known_;
};

/// The C library knows no `**`, and gives `[` and NUL a meaning.
void compare_with_fnmatch(const std::string& pattern, const std::string& text, bool matches) {
    if (pattern.contains("**") || pattern.contains('[') || pattern.contains('\0')) return;
    if (text.contains('\0')) return;
    const int result = ::fnmatch(pattern.c_str(), text.c_str(), FNM_PATHNAME | FNM_NOESCAPE);
    require((result == 0) == matches);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string_view pattern = take_line(text);
    const bool matches = site::glob_matches(pattern, text);
    if (pattern.size() * text.size() < 4096) {
        require(matches == PlainGlob{pattern, text}.matches());
        compare_with_fnmatch(std::string{pattern}, std::string{text}, matches);
    }
    const std::string path = "/" + std::string{text};
    const std::string name = path.substr(path.rfind('/') + 1);
    if (pattern.empty() || pattern.starts_with('/'))
        require(site::path_matches(pattern, path) ==
                (pattern.empty() || site::glob_matches(pattern, path)));
    else
        require(site::path_matches(pattern, path) == site::glob_matches(pattern, name));
    if (!site::is_pattern(pattern)) require(!site::path_matches(pattern, path));
}

}  // namespace weir::tests

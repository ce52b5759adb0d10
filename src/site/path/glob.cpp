#include "site/path/glob.h"

namespace weir::site {

// Recursive at each star. This is safe: the patterns come from the operator, and are matched only
// when a file is loaded.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept {
    while (!pattern.empty() && pattern[0] != '*') {
        if (text.empty()) return false;
        if (pattern[0] == '?' ? text[0] == '/' : pattern[0] != text[0]) return false;
        pattern.remove_prefix(1);
        text.remove_prefix(1);
    }
    if (pattern.empty()) return text.empty();

    const bool crosses = pattern.starts_with("**");
    pattern.remove_prefix(crosses ? 2 : 1);
    for (;;) {
        if (glob_matches(pattern, text)) return true;
        if (text.empty() || (!crosses && text[0] == '/')) return false;
        text.remove_prefix(1);
    }
}

bool path_matches(std::string_view pattern, std::string_view path) noexcept {
    if (pattern.empty()) return true;
    if (!pattern.starts_with('/')) path.remove_prefix(path.rfind('/') + 1);
    return glob_matches(pattern, path);
}

bool is_pattern(std::string_view text) noexcept {
    return text.starts_with('/') || text.find('/') == text.npos;
}

std::string not_a_pattern(std::string_view text) {
    return "the pattern '" + std::string{text} +
           "' contains '/', so it must begin with '/' or '/**/'";
}

}  // namespace weir::site

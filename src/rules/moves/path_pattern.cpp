#include "rules/moves/path_pattern.h"

#include <cstddef>
#include <stdexcept>

namespace weir::rules {

using Kind = web::Pattern::Segment::Kind;

std::expected<PathPattern, std::string> PathPattern::parse(std::string_view text) try {
    return PathPattern{web::Pattern::from(text)};
} catch (const std::invalid_argument& error) {
    return std::unexpected{std::string{error.what()}};
}

bool PathPattern::matches(const Asked& asked, Captures& captures) const {
    const std::string& method = pattern_.method();
    const bool is_for_method =
        method.empty() || method == asked.method || (method == "GET" && asked.method == "HEAD");
    const bool is_for_host = pattern_.host().empty() || pattern_.host() == asked.host;
    return is_for_method && is_for_host && matches_path(asked.path, captures);
}

bool PathPattern::matches_path(std::string_view path, Captures& captures) const {
    std::size_t wildcard = 0;
    for (const auto& segment : pattern_.segments()) {
        if (!path.starts_with('/')) return false;
        path.remove_prefix(1);
        const bool is_bare_slash = segment.kind == Kind::rest && segment.text.empty();
        if (is_bare_slash || segment.is_end()) return path.empty();
        if (segment.kind == Kind::rest) {
            captures[wildcard] = path;
            return true;
        }
        const std::string_view its = path.substr(0, path.find('/'));
        if (segment.kind == Kind::literal ? its != segment.text : its.empty()) return false;
        if (segment.kind == Kind::one) captures[wildcard++] = its;
        path.remove_prefix(its.size());
    }
    return path.empty();
}

}  // namespace weir::rules

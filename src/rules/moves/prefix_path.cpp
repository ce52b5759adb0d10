#include "rules/moves/prefix_path.h"

#include <algorithm>
#include <stdexcept>

namespace weir::rules {

std::expected<PrefixPath, std::string> PrefixPath::parse(std::string_view text) try {
    if (text.ends_with('/')) text.remove_suffix(1);
    const bool has_others = text.find_first_of("{}?#%\\") != text.npos;
    if (text.empty() || text.ends_with('/') || has_others)
        return std::unexpected{"'" + std::string{text} + "' is no path such as /docs"};
    return PrefixPath{std::string{text}, web::Pattern::prefix_from(text)};
} catch (const std::invalid_argument& error) {
    return std::unexpected{std::string{error.what()}};
}

std::size_t PrefixPath::size_in(std::string_view path) const {
    if (!pattern_.is_prefix_of(path)) return 0;
    const std::size_t end = end_in(path);
    return end < path.size() ? end : 0;
}

bool PrefixPath::is(std::string_view path) const {
    return pattern_.is_prefix_of(path) && end_in(path) == path.size();
}

/// The end of the prefix in a path, which may contain it with escapes.
std::size_t PrefixPath::end_in(std::string_view path) const noexcept {
    std::size_t end = 0;
    for (std::size_t i = 0; i < pattern_.segments().size(); ++i)
        end = std::min(path.find('/', end + 1), path.size());
    return end;
}

}  // namespace weir::rules

#include "rules/request_path.h"

#include <algorithm>
#include <span>

#include "base/trimmed.h"
#include "site/path/glob.h"
#include "site/path/target_path.h"

namespace weir::rules {

RequestPath::RequestPath(std::string_view target) {
    if (target.size() > buffer_.size()) long_buffer_.resize(target.size());
    const std::span<char> room =
        long_buffer_.empty() ? std::span<char>{buffer_} : std::span<char>{long_buffer_};
    if (const auto path = site::target_path(target, room)) text_ = *path;
}

bool Paths::contain(const RequestPath& path) const {
    if (!path.text() || pattern_.empty()) return true;
    const std::string_view text = *path.text();
    constexpr std::string_view everything_below = "/**";
    const std::string_view pattern = pattern_;
    const bool is_the_folder =
        pattern.ends_with(everything_below) &&
        site::path_matches(pattern.substr(0, pattern.size() - everything_below.size()), text) &&
        pattern.size() > everything_below.size();
    return is_the_folder || site::path_matches(pattern, text);
}

std::size_t Paths::fixed_bytes() const noexcept {
    return std::min(pattern_.find_first_of("*?"), pattern_.size());
}

std::string Paths::refusal(std::string_view pattern) {
    return site::is_pattern(pattern) ? std::string{} : site::not_a_pattern(pattern);
}

PathsAndRest PathsAndRest::of(std::string_view text) noexcept {
    const std::size_t colon = text.find(": ");
    if (colon == text.npos) return {.paths = {}, .rest = trimmed(text)};
    return {.paths = trimmed(text.substr(0, colon)), .rest = trimmed(text.substr(colon + 2))};
}

}  // namespace weir::rules

#include "dav/request/fields.h"

#include <algorithm>
#include <charconv>

#include "base/trimmed.h"
#include "site/path/target_path.h"
#include "weir/http/field_name.h"

namespace weir::dav {
namespace {

using http::equals_ignoring_case;

/// Null for a text that is no time.
std::optional<std::chrono::seconds> time_from(std::string_view text,
                                              std::chrono::seconds max) noexcept {
    constexpr std::string_view seconds = "Second-";
    if (equals_ignoring_case(text, "Infinite")) return max;
    if (!equals_ignoring_case(text.substr(0, seconds.size()), seconds)) return std::nullopt;
    std::int64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + seconds.size(), end, count);
    if (stopped != end || count < 0 || stopped == text.data() + seconds.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) return max;
    return std::clamp(std::chrono::seconds{count}, std::chrono::seconds{1}, max);
}

/// Without the port that the scheme has anyway.
std::string_view without_default_port(std::string_view authority, bool is_secure) noexcept {
    const std::string_view port = is_secure ? ":443" : ":80";
    if (authority.ends_with(port)) authority.remove_suffix(port.size());
    return authority;
}

/// "http://host/path" -> "/path"; null for another host.
std::optional<std::string_view> path_on_host(std::string_view reference,
                                             std::string_view authority) noexcept {
    const auto colon = reference.find("://");
    const bool is_secure = equals_ignoring_case(reference.substr(0, colon), "https");
    if (!is_secure && !equals_ignoring_case(reference.substr(0, colon), "http"))
        return std::nullopt;
    reference.remove_prefix(colon + 3);
    const auto slash = std::min(reference.find('/'), reference.size());
    if (!equals_ignoring_case(without_default_port(reference.substr(0, slash), is_secure),
                              without_default_port(authority, is_secure)))
        return std::nullopt;
    return slash == reference.size() ? std::string_view{"/"} : reference.substr(slash);
}

}  // namespace

std::optional<Depth> parse_depth(std::string_view text) noexcept {
    text = trimmed(text);
    if (text == "0") return Depth::none;
    // Windows asks for the members of a folder by "1,noroot".
    if (text == "1" || equals_ignoring_case(text, "1,noroot")) return Depth::one;
    if (equals_ignoring_case(text, "infinity")) return Depth::infinity;
    return std::nullopt;
}

std::optional<bool> parse_overwrite(std::string_view text) noexcept {
    text = trimmed(text);
    if (equals_ignoring_case(text, "T")) return true;
    if (equals_ignoring_case(text, "F")) return false;
    return std::nullopt;
}

std::chrono::seconds parse_timeout(std::string_view text, std::chrono::seconds max) noexcept {
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        if (const auto time = time_from(trimmed(text.substr(0, comma)), max)) return *time;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return max;
}

std::optional<std::string_view> parse_lock_token(std::string_view text) noexcept {
    text = trimmed(text);
    if (text.size() < 3 || !text.starts_with('<') || !text.ends_with('>')) return std::nullopt;
    return text.substr(1, text.size() - 2);
}

std::expected<std::string, ReferenceFault> path_of_reference(std::string_view reference,
                                                             const BaseUri& base) {
    reference = trimmed(reference);
    if (reference.contains('#')) return std::unexpected{ReferenceFault::malformed};
    reference = reference.substr(0, reference.find('?'));
    if (!reference.starts_with('/')) {
        if (!reference.contains("://")) return std::unexpected{ReferenceFault::malformed};
        const auto path = path_on_host(reference, base.authority);
        if (!path) return std::unexpected{ReferenceFault::elsewhere};
        reference = *path;
    }
    if (reference.starts_with("//") || !reference.starts_with(base.prefix))
        return std::unexpected{ReferenceFault::elsewhere};
    reference.remove_prefix(base.prefix.size());
    if (!reference.starts_with('/')) return std::unexpected{ReferenceFault::elsewhere};
    auto path = site::decoded_path(reference);
    if (!path) return std::unexpected{ReferenceFault::malformed};
    return std::move(*path);
}

}  // namespace weir::dav

#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace weir::dav {

enum class Depth : unsigned char { none, one, infinity };

/// RFC 4918 10.2. Null if the text is no depth.
std::optional<Depth> parse_depth(std::string_view text) noexcept;

/// RFC 4918 10.6: T or F. Null if the text is neither.
std::optional<bool> parse_overwrite(std::string_view text) noexcept;

/// RFC 4918 10.7: the first time of the list that can be read, at most `max`; `max` if none can.
std::chrono::seconds parse_timeout(std::string_view text, std::chrono::seconds max) noexcept;

/// The token of Lock-Token (RFC 4918 10.5), without its brackets. Null if the text is malformed.
std::optional<std::string_view> parse_lock_token(std::string_view text) noexcept;

/// The part of a request's URI that references in its fields share with it.
struct BaseUri {
    std::string_view authority{};
    std::string_view prefix{};  // of the path, not decoded
};

enum class ReferenceFault : unsigned char { malformed, elsewhere };

/// The path that a Simple-ref means (RFC 4918 8.3), decoded, behind the prefix: "/a/b". `elsewhere`
/// for another host, and outside of the prefix.
std::expected<std::string, ReferenceFault> path_of_reference(std::string_view reference,
                                                             const BaseUri& base);

}  // namespace weir::dav

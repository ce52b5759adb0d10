#include "cli/option/quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "base/trimmed.h"
#include "cli/option/near_miss.h"
#include "http/syntax/origin.h"
#include "site/fields/field_rules.h"
#include "site/path/glob.h"
#include "site/types/media_types.h"

namespace weir::cli {
namespace {

std::unexpected<std::string> wrong(std::string_view text, std::string_view expected) {
    std::string message{"'"};
    message += text;
    message += "' is not ";
    message += expected;
    return std::unexpected{message};
}

struct Unit {
    std::string_view name;
    std::uint64_t factor;
};

/// Parses digits that are followed by one of the units.
template <std::size_t count>
std::optional<std::uint64_t> parse_scaled(std::string_view text,
                                          const std::array<Unit, count>& units) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{}) return std::nullopt;
    const auto unit = std::ranges::find(units, std::string_view{rest, end}, &Unit::name);
    if (unit == units.end()) return std::nullopt;
    if (number > std::numeric_limits<std::int64_t>::max() / unit->factor) return std::nullopt;
    return number * unit->factor;
}

std::optional<std::pair<std::string_view, std::string_view>> split_at_colon(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    return std::pair{trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1))};
}

/// Parses a time with a unit; only zero needs no unit.
Parsed<std::chrono::microseconds> parse_fine(std::string_view text, std::chrono::microseconds max,
                                             std::string_view expected) {
    constexpr std::array units{Unit{"us", 1}, Unit{"ms", 1'000}, Unit{"s", 1'000'000},
                               Unit{"m", 60'000'000}, Unit{"h", 3'600'000'000}};
    if (text == "0") return std::chrono::microseconds{0};
    const auto microseconds = parse_scaled(text, units);
    if (!microseconds || *microseconds > static_cast<std::uint64_t>(max.count()))
        return wrong(text, expected);
    return std::chrono::microseconds{*microseconds};
}

/// Compares with the registered top-level types (RFC 6838 4.2, RFC 8081).
bool begins_as_media_type(std::string_view files) {
    constexpr std::array<std::string_view, 10> tops{"application", "audio",   "font",  "haptics",
                                                    "image",       "message", "model", "multipart",
                                                    "text",        "video"};
    return std::ranges::find(tops, files.substr(0, files.find('/'))) != tops.end();
}

Parsed<site::FieldRule> rule_for(std::string_view files) {
    site::FieldRule rule;
    if (files.empty()) return std::unexpected{"files must be named before the first colon"};
    if (files.starts_with('/') || !files.contains('/')) {
        rule.glob = files;
    } else if (begins_as_media_type(files)) {
        rule.media_type = files;
    } else {
        return wrong(files, "a pattern; a pattern with a '/' must begin with '/'");
    }
    return rule;
}

/// Asks the site whether it accepts the rule.
Parsed<site::FieldRule> with_field(Parsed<site::FieldRule> rule, std::string_view name,
                                   std::string_view value) {
    if (!rule) return rule;
    rule->name = name;
    rule->value = value;
    if (auto rules = site::FieldRules::from({*rule}); !rules) return std::unexpected{rules.error()};
    return rule;
}

}  // namespace

std::unexpected<std::string> none_of(std::string_view text, std::span<const std::string> words) {
    const std::string start = "'" + std::string{text} + "' is ";
    if (words.size() == 2) return std::unexpected{start + "neither " + enumerated(words, " nor ")};
    return std::unexpected{start + "none of " + enumerated(words, " and ")};
}

Parsed<std::string> parse_text(std::string_view text) { return std::string{text}; }

Parsed<bool> parse_flag(std::string_view text) {
    constexpr std::array<std::string_view, 4> yes{"1", "true", "yes", "on"};
    constexpr std::array<std::string_view, 4> no{"0", "false", "no", "off"};
    if (std::ranges::find(yes, text) != yes.end()) return true;
    if (std::ranges::find(no, text) != no.end()) return false;
    return wrong(text, "1 or 0");
}

Parsed<std::string> parse_file_name(std::string_view text) {
    if (text.empty() || text.contains('/')) return wrong(text, "the name of a file without a path");
    return std::string{text};
}

Parsed<std::uint64_t> parse_count(std::string_view text, std::uint64_t max, std::uint64_t min) {
    constexpr std::array<std::string_view, 6> defaults{"auto",      "default", "max",
                                                       "unlimited", "none",    "off"};
    const auto number = parse_scaled(text, std::array{Unit{"", 1}});
    if (number && *number >= min && *number <= max) return *number;
    std::string expected = "a number from " + std::to_string(min) + " to " + std::to_string(max);
    if (std::ranges::find(defaults, text) != defaults.end())
        expected += "; without the option, the default holds";
    return wrong(text, expected);
}

Parsed<std::chrono::milliseconds> parse_duration(std::string_view text) {
    constexpr std::array units{Unit{"", 1'000}, Unit{"ms", 1}, Unit{"s", 1'000}, Unit{"m", 60'000},
                               Unit{"h", 3'600'000}};
    // A deadline is a sum of durations: with at most a year, it cannot overflow.
    constexpr std::uint64_t year = 365 * std::uint64_t{24} * 3'600'000;
    const auto milliseconds = parse_scaled(text, units);
    if (!milliseconds || *milliseconds > year)
        return wrong(text, "a time such as 500ms, 10s, 2m or 1h");
    return std::chrono::milliseconds{*milliseconds};
}

Parsed<std::chrono::microseconds> parse_delay(std::string_view text) {
    return parse_fine(text, std::chrono::hours{1},
                      "a time with a unit, such as 100us, 5ms or 1s, up to 1h");
}

Parsed<std::chrono::microseconds> parse_busy_poll(std::string_view text) {
    return parse_fine(text, busy_poll_max, "a time with a unit, such as 50us, up to 10ms");
}

Parsed<std::uint64_t> parse_size(std::string_view text) {
    constexpr std::array units{Unit{"", 1}, Unit{"K", std::uint64_t{1} << 10u},
                               Unit{"M", std::uint64_t{1} << 20u},
                               Unit{"G", std::uint64_t{1} << 30u}};
    const auto bytes = parse_scaled(text, units);
    if (!bytes) return wrong(text, "a size such as 4096, 64K, 1M or 2G");
    return *bytes;
}

Parsed<site::FieldRule> parse_header(std::string_view text) {
    const auto outer = split_at_colon(text);
    const auto inner = outer ? split_at_colon(outer->second) : std::nullopt;
    if (!inner)
        return wrong(text,
                     "of the form 'FILES: Name: value', as in '*.css: X-Name: value'; '/**' stands "
                     "for all files");
    return with_field(rule_for(outer->first), inner->first, inner->second);
}

Parsed<site::FieldRule> parse_cache_control(std::string_view text) {
    const auto parts = split_at_colon(text);
    if (!parts)
        return wrong(
            text,
            "of the form 'FILES: value', as in '*.css: max-age=3600'; '/**' stands for all "
            "files");
    auto rule = with_field(rule_for(parts->first), "Cache-Control", parts->second);
    if (rule) rule->delivered_only = true;
    return rule;
}

Parsed<site::MediaTypeRule> parse_media_type(std::string_view text) {
    const auto parts = split_at_colon(text);
    if (!parts || parts->first.empty())
        return wrong(text, "of the form 'FILES: TYPE', as in '*.foo: text/plain'");
    if (!site::is_pattern(parts->first)) return wrong(parts->first, "a name or a path");
    if (!site::is_media_type(parts->second))
        return wrong(parts->second, "a media type such as text/plain");
    return site::MediaTypeRule{.glob = std::string{parts->first},
                               .media_type = std::string{parts->second}};
}

Parsed<std::string> parse_origin(std::string_view text) { return http::origin_from(text); }

}  // namespace weir::cli

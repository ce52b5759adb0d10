#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/site/site.h"

namespace weir::cli {

/// The parsed value of an option, or a text that says what was expected.
template <typename Value>
using Parsed = std::expected<Value, std::string>;

/// Returns an error: `text` is none of the words.
std::unexpected<std::string> none_of(std::string_view text, std::span<const std::string> words);

/// Returns the value of the word that equals `text`.
template <typename Value>
Parsed<Value> parse_word(std::string_view text,
                         std::initializer_list<std::pair<std::string_view, Value>> words) {
    std::vector<std::string> known;
    for (const auto& [word, value] : words) {
        if (text == word) return value;
        known.emplace_back(word);
    }
    return none_of(text, known);
}

/// Accepts any text.
Parsed<std::string> parse_text(std::string_view text);
/// "1" or "0", or other words for them.
Parsed<bool> parse_flag(std::string_view text);
/// The name of a file, not empty and without a slash.
Parsed<std::string> parse_file_name(std::string_view text);
/// A decimal number from `min` to `max`.
Parsed<std::uint64_t> parse_count(std::string_view text, std::uint64_t max, std::uint64_t min = 0);
/// "10s", "500ms", "2m", "1h"; a number without a unit is in seconds.
Parsed<std::chrono::milliseconds> parse_duration(std::string_view text);
/// The time that a handler takes: "100us", "1ms"; the unit is required. At most an hour.
Parsed<std::chrono::microseconds> parse_delay(std::string_view text);
/// Longer polling only wastes CPU time; responses do not come sooner.
inline constexpr std::chrono::milliseconds busy_poll_max{10};
/// "50us"; the unit is required.
Parsed<std::chrono::microseconds> parse_busy_poll(std::string_view text);
/// "4096", "64K", "1M", "2G"; the units are powers of 1,024.
Parsed<std::uint64_t> parse_size(std::string_view text);
/// "*.css: X-Name: value": the files (a glob or a media type), a field name, a value.
Parsed<site::FieldRule> parse_header(std::string_view text);
/// "*.foo: text/plain": the files (a glob) and their media type.
Parsed<site::MediaTypeRule> parse_media_type(std::string_view text);
/// "https://example.org", or "*" for any origin.
Parsed<std::string> parse_origin(std::string_view text);
/// "*.css: max-age=60": the files, and the value of their Cache-Control. The rule applies only to
/// responses that deliver a file or a listing.
Parsed<site::FieldRule> parse_cache_control(std::string_view text);

}  // namespace weir::cli

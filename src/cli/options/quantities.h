#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "weir/site/site.h"

namespace weir::cli {

/// What an option's text means, or in words what it should have been.
template <typename Value>
using Parsed = std::expected<Value, std::string>;

/// Any text.
Parsed<std::string> parse_text(std::string_view text);
/// 1 or 0, and other words for these.
Parsed<bool> parse_flag(std::string_view text);
/// A file's name, not empty and without a slash.
Parsed<std::string> parse_file_name(std::string_view text);
/// 0 to `max`, in digits.
Parsed<std::uint64_t> parse_count(std::string_view text, std::uint64_t max);
/// "10s", "500ms", "2m", "1h"; a bare number is seconds.
Parsed<std::chrono::milliseconds> parse_duration(std::string_view text);
/// How long a handler takes: "100us", "1ms"; the unit is needed. An hour at the most.
Parsed<std::chrono::microseconds> parse_delay(std::string_view text);
/// Past this a loop that looks does harm, and no answer comes sooner.
inline constexpr std::chrono::milliseconds busy_poll_max{10};
/// "50us"; the unit is needed.
Parsed<std::chrono::microseconds> parse_busy_poll(std::string_view text);
/// "4096", "64K", "1M", "2G", in powers of 1,024.
Parsed<std::uint64_t> parse_size(std::string_view text);
/// "*.css: X-Name: value": the files it is for (a glob or a media type), a field name, a value.
Parsed<site::FieldRule> parse_header(std::string_view text);
/// "*.foo: text/plain": the files it is for, and their media type.
Parsed<site::MediaTypeRule> parse_media_type(std::string_view text);
/// "https://example.org", or "*" for any.
Parsed<std::string> parse_origin(std::string_view text);
/// "*.css: max-age=60": the files it is for, and the value of their Cache-Control. Not for
/// answers that deliver none of them.
Parsed<site::FieldRule> parse_cache_control(std::string_view text);

}  // namespace weir::cli

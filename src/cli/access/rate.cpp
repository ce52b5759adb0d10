#include "cli/access/rate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

#include "base/trimmed.h"

namespace weir::cli {
namespace {

constexpr std::uint32_t number_max = 1'000'000;

std::optional<std::uint32_t> number_from(std::string_view text) {
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (result.ec != std::errc{} || result.ptr != end || number == 0 || number > number_max)
        return std::nullopt;
    return number;
}

struct Unit {
    std::string_view name;
    std::chrono::microseconds span;
};
constexpr std::array units{Unit{"s", std::chrono::seconds{1}}, Unit{"m", std::chrono::minutes{1}},
                           Unit{"h", std::chrono::hours{1}}};

/// "10/s"
std::optional<std::chrono::microseconds> interval_from(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    const auto number = number_from(text.substr(0, slash));
    const auto* const unit = std::ranges::find(units, text.substr(slash + 1), &Unit::name);
    if (!number || unit == units.end()) return std::nullopt;
    return unit->span / *number;
}

/// " burst 20", or nothing
std::optional<std::uint32_t> burst_from(std::string_view text, std::uint32_t left_out) {
    constexpr std::string_view word = "burst ";
    text = trimmed(text);
    if (text.empty()) return left_out;
    return text.starts_with(word) ? number_from(trimmed(text.substr(word.size()))) : std::nullopt;
}

}  // namespace

Parsed<access::RateRule> parse_rate(std::string_view text) {
    constexpr std::chrono::microseconds second = std::chrono::seconds{1};
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto interval = interval_from(text.substr(0, end));
    const auto in_a_second = interval ? std::max<std::int64_t>(second / *interval, 1) : 1;
    const auto burst = burst_from(text.substr(end), static_cast<std::uint32_t>(in_a_second));
    if (!interval || !burst)
        return std::unexpected{
            "'" + std::string{text} +
            "' is not a rate such as 10/s, 600/m or '10/s burst 50', with numbers "
            "from 1 to 1000000"};
    return access::RateRule{.interval = *interval, .burst = *burst};
}

}  // namespace weir::cli

#include "acme/keep/renewal.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <string>
#include <string_view>

namespace weir::acme {
namespace {

constexpr std::int64_t minute = 60;

constexpr std::string_view form_of_time = "0000-00-00T00:00:00";

/// strptime(3) takes spaces, signs, and fewer digits, too.
bool has_form_of_time(std::string_view text) {
    if (text.size() < form_of_time.size()) return false;
    for (std::size_t at = 0; at < form_of_time.size(); ++at) {
        const bool is_digit = text[at] >= '0' && text[at] <= '9';
        if (form_of_time[at] == '0' ? !is_digit : text[at] != form_of_time[at]) return false;
    }
    return true;
}

/// "Z", "+02:00" or "-02:00", in seconds.
std::optional<std::int64_t> offset_of(std::string_view text) {
    if (text == "Z" || text == "z") return 0;
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':')
        return std::nullopt;
    std::int64_t digits = 0;
    for (const std::size_t at : {1, 2, 4, 5}) {
        if (text[at] < '0' || text[at] > '9') return std::nullopt;
        digits = digits * 10 + (text[at] - '0');
    }
    const std::int64_t seconds = (digits / 100 * 60 + digits % 100) * minute;
    return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> parse_timestamp(const std::string& text) {
    std::tm parts{};
    if (!has_form_of_time(text)) return std::nullopt;
    const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (!end || end - text.c_str() != std::ssize(form_of_time)) return std::nullopt;
    std::string_view rest = std::string_view{text}.substr(form_of_time.size());
    if (rest.starts_with('.')) {
        const auto end_of_fraction = rest.find_first_not_of("0123456789", 1);
        if (end_of_fraction == 1) return std::nullopt;
        rest.remove_prefix(std::min(end_of_fraction, rest.size()));
    }
    const auto offset = offset_of(rest);
    if (!offset) return std::nullopt;
    return ::timegm(&parts) - *offset;
}

std::optional<Window> window_in(const Json& renewal_info) {
    const Json window = object_in(renewal_info, "suggestedWindow");
    const auto start = parse_timestamp(text_in(window, "start"));
    const auto end = parse_timestamp(text_in(window, "end"));
    if (!start || !end || *end < *start) return std::nullopt;
    return Window{*start, *end};
}

std::int64_t renewal_of(const Certificate& certificate, const std::optional<Window>& window,
                        double fraction) noexcept {
    if (certificate.is_placeholder) return 0;
    const std::int64_t life = certificate.until - certificate.from;
    const std::int64_t usual = certificate.until - life / 3;
    if (!window) return usual;
    const auto within = static_cast<double>(window->end - window->start) * fraction;
    // A window after the end of the certificate would leave the server without one.
    return std::min(window->start + static_cast<std::int64_t>(within),
                    certificate.until - life / 20);
}

std::int64_t pause_after(unsigned failures) noexcept {
    constexpr std::array<std::int64_t, 7> minutes{1, 5, 15, 30, 60, 180, 360};
    const std::size_t index = std::clamp<std::size_t>(failures, 1, minutes.size()) - 1;
    return minutes[index] * minute;
}

}  // namespace weir::acme

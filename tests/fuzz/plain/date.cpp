#include "fuzz/plain/date.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <regex>

namespace weir::tests::plain {
namespace {

constexpr std::array days = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                             "Thursday", "Friday", "Saturday"};
constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// day-name, month and time-of-day as in RFC 9110 5.6.7
#define WEIR_MONTH "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
#define WEIR_TIME "([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)"
const std::regex imf_fixdate{"(Sun|Mon|Tue|Wed|Thu|Fri|Sat), (\\d\\d) " WEIR_MONTH
                             " (\\d{4}) " WEIR_TIME " GMT"};
const std::regex rfc850{"(Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, (\\d\\d)-" WEIR_MONTH
                        "-(\\d\\d) " WEIR_TIME " GMT"};
const std::regex asctime{"(Sun|Mon|Tue|Wed|Thu|Fri|Sat) " WEIR_MONTH " (\\d\\d| \\d) " WEIR_TIME
                         " (\\d{4})"};
#undef WEIR_MONTH
#undef WEIR_TIME

struct Parts {
    int year, month, day, hour, minute, second;
};

int month_of(const std::string& name) {
    for (int month = 0; month < 12; ++month)
        if (name == months[static_cast<std::size_t>(month)]) return month;
    return -1;
}

/// Nothing for a day that the month does not have.
std::optional<std::int64_t> seconds_of(const Parts& parts) {
    std::tm tm{};
    tm.tm_year = parts.year - 1900;
    tm.tm_mon = parts.month;
    tm.tm_mday = parts.day;
    const std::time_t midnight = ::timegm(&tm);
    if (tm.tm_mday != parts.day || tm.tm_mon != parts.month) return std::nullopt;
    return midnight + parts.hour * 3600 + parts.minute * 60 + parts.second;
}

std::tm calendar(std::int64_t unix_seconds) {
    const std::time_t time = unix_seconds;
    std::tm tm{};
    ::gmtime_r(&time, &tm);
    return tm;
}

/// The latest year with these two digits that is at most 50 years in the future. 29 February of a
/// year that is 50 years before one without such a day is a matter of taste: not said.
std::optional<std::int64_t> in_century(Parts parts, std::int64_t now) {
    const int two_digits = parts.year;
    for (int year = calendar(now).tm_year + 1900 + 100; year >= 0; --year) {
        if (year % 100 != two_digits) continue;
        parts.year = year;
        const auto seconds = seconds_of(parts);
        if (!seconds) continue;
        Parts earlier = parts;
        earlier.year -= 50;
        if (parts.month == 1 && parts.day == 29) earlier.day = 28;
        if (seconds_of(earlier).value_or(now) <= now) return seconds;
    }
    return std::nullopt;
}

}  // namespace

std::string date_text(std::int64_t unix_seconds, DateForm form) {
    const std::tm tm = calendar(unix_seconds);
    const char* const day = days[static_cast<std::size_t>(tm.tm_wday)];
    const char* const month = months[static_cast<std::size_t>(tm.tm_mon)];
    const int year = tm.tm_year + 1900;
    std::array<char, 128> text{};
    const auto print = [&](const char* format, auto... values) {
        std::snprintf(text.data(), text.size(), format, values...);
    };
    if (form == DateForm::imf_fixdate)
        print("%.3s, %02d %s %04d %02d:%02d:%02d GMT", day, tm.tm_mday, month, year, tm.tm_hour,
              tm.tm_min, tm.tm_sec);
    else if (form == DateForm::rfc850)
        print("%s, %02d-%s-%02d %02d:%02d:%02d GMT", day, tm.tm_mday, month, year % 100, tm.tm_hour,
              tm.tm_min, tm.tm_sec);
    else
        print("%.3s %s %2d %02d:%02d:%02d %04d", day, month, tm.tm_mday, tm.tm_hour, tm.tm_min,
              tm.tm_sec, year);
    return text.data();
}

std::optional<std::int64_t> read_date(std::string_view text, std::int64_t now) {
    const std::string copy{text};
    std::smatch part;
    const auto number = [&](int i) { return std::stoi(part[static_cast<std::size_t>(i)]); };
    if (copy.size() > 40) return std::nullopt;
    if (std::regex_match(copy, part, imf_fixdate))
        return seconds_of(
            {number(4), month_of(part[3]), number(2), number(5), number(6), number(7)});
    if (std::regex_match(copy, part, asctime))
        return seconds_of(
            {number(7), month_of(part[2]), number(3), number(4), number(5), number(6)});
    if (std::regex_match(copy, part, rfc850))
        return in_century(
            {number(4), month_of(part[3]), number(2), number(5), number(6), number(7)}, now);
    return std::nullopt;
}

}  // namespace weir::tests::plain

#include "server/log/line/log_time.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <limits>

namespace weir::server {
namespace {

constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct UtcTime {
    explicit UtcTime(std::int64_t unix_seconds)
        : UtcTime{std::chrono::sys_seconds{std::chrono::seconds{unix_seconds}}} {}
    explicit UtcTime(std::chrono::sys_seconds time)
        : date{std::chrono::floor<std::chrono::days>(time)},
          clock{time - std::chrono::floor<std::chrono::days>(time)} {}

    int year() const { return static_cast<int>(date.year()); }
    unsigned month() const { return static_cast<unsigned>(date.month()); }
    unsigned day() const { return static_cast<unsigned>(date.day()); }
    int hours() const { return static_cast<int>(clock.hours().count()); }
    int minutes() const { return static_cast<int>(clock.minutes().count()); }
    int seconds() const { return static_cast<int>(clock.seconds().count()); }

    std::chrono::year_month_day date;
    std::chrono::hh_mm_ss<std::chrono::seconds> clock;
};

struct Rendered {
    std::int64_t unix_seconds = std::numeric_limits<std::int64_t>::min();
    std::array<char, 40> text{};
    std::size_t size = 0;
};

/// Calls `print(buffer, size, unix_seconds)` only if the second has changed.
template <typename Print>
std::string_view rendered(Rendered& last, std::int64_t unix_seconds, Print print) {
    if (last.unix_seconds != unix_seconds) {
        const int size = print(last.text.data(), last.text.size(), unix_seconds);
        last.size = static_cast<std::size_t>(size);
        last.unix_seconds = unix_seconds;
    }
    return {last.text.data(), last.size};
}

std::tm local(std::int64_t unix_seconds) {
    const std::time_t time = unix_seconds;
    std::tm local{};
    ::localtime_r(&time, &local);
    return local;
}

}  // namespace

std::string_view combined_time(std::int64_t unix_seconds) {
    thread_local Rendered last;
    return rendered(last, unix_seconds, [&](char* into, std::size_t size, std::int64_t second) {
        const UtcTime at{second};
        return std::snprintf(into, size, "%02u/%s/%04d:%02d:%02d:%02d +0000", at.day(),
                             months[at.month() - 1], at.year(), at.hours(), at.minutes(),
                             at.seconds());
    });
}

std::string_view internet_time(std::int64_t unix_seconds) {
    thread_local Rendered last;
    return rendered(last, unix_seconds, [](char* into, std::size_t size, std::int64_t second) {
        const UtcTime at{second};
        return std::snprintf(into, size, "%04d-%02u-%02uT%02d:%02d:%02dZ", at.year(), at.month(),
                             at.day(), at.hours(), at.minutes(), at.seconds());
    });
}

void append_precise_time(std::string& out, std::int64_t unix_seconds, std::uint32_t microseconds) {
    out += internet_time(unix_seconds);
    out.pop_back();  // the Z, which follows the fraction
    append_fraction(out, microseconds, 6);
    out += 'Z';
}

void append_fraction(std::string& out, std::uint32_t part, std::size_t digits) {
    out += '.';
    out.append(digits, '0');
    for (auto digit = out.rbegin(); part != 0; ++digit, part /= 10)
        *digit = static_cast<char>('0' + part % 10);
}

std::string_view local_time_of_day(std::int64_t unix_seconds) {
    thread_local Rendered last;
    return rendered(last, unix_seconds, [](char* into, std::size_t size, std::int64_t second) {
        const std::tm at = local(second);
        return static_cast<int>(std::strftime(into, size, "%H:%M:%S", &at));
    });
}

// strftime(3) would write the month in the words of the locale.
std::string_view local_date_and_time(std::int64_t unix_seconds) {
    thread_local Rendered last;
    return rendered(last, unix_seconds, [](char* into, std::size_t size, std::int64_t second) {
        const std::tm at = local(second);
        return std::snprintf(into, size, "%s %2d %02d:%02d:%02d",
                             months[static_cast<std::size_t>(at.tm_mon)], at.tm_mday, at.tm_hour,
                             at.tm_min, at.tm_sec);
    });
}

}  // namespace weir::server

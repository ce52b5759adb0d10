#include "http/answer/date.h"

#include <array>
#include <chrono>

namespace weir::http {
namespace {

constexpr std::array<std::string_view, 7> day_names = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::string_view month_names = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::int64_t seconds_per_day = 86'400;

struct DateParts {
    int year = 0;
    unsigned month = 0;  // 1 to 12
    unsigned day = 0;
    unsigned second_of_day = 0;
};

std::optional<std::int64_t> to_unix_seconds(const DateParts& civil) noexcept {
    using namespace std::chrono;
    const year_month_day date{year{civil.year}, month{civil.month}, day{civil.day}};
    if (!date.ok()) return std::nullopt;
    return sys_days{date}.time_since_epoch().count() * seconds_per_day +
           std::int64_t{civil.second_of_day};
}

int year_of(std::int64_t unix_seconds) noexcept {
    using namespace std::chrono;
    return static_cast<int>(year_month_day{sys_days{floor<days>(seconds{unix_seconds})}}.year());
}

void put_two(char* into, unsigned value) noexcept {
    into[0] = static_cast<char>('0' + value / 10);
    into[1] = static_cast<char>('0' + value % 10);
}

/// Reads a date from left to right. After the first mismatch, every later call fails too.
class Reader {
   public:
    explicit Reader(std::string_view text) noexcept : rest_{text} {}

    bool literal(std::string_view text) noexcept {
        const bool fits = rest_.starts_with(text);
        take(fits, text.size());
        return fits;
    }
    unsigned digits(std::size_t count) noexcept {
        unsigned value = 0;
        bool fits = rest_.size() >= count;
        for (std::size_t i = 0; fits && i < count; ++i) {
            const unsigned digit = static_cast<unsigned char>(rest_[i]) - unsigned{'0'};
            fits = digit < 10;
            value = value * 10 + digit;
        }
        take(fits, count);
        return value;
    }
    void day_name(std::size_t size_max) noexcept {
        for (const std::string_view name : day_names) {
            const std::string_view wanted = name.substr(0, size_max);
            if (rest_.starts_with(wanted)) return take(true, wanted.size());
        }
        take(false, 0);
    }
    unsigned month() noexcept {
        for (unsigned i = 0; i < 12; ++i)
            if (literal_if(month_names.substr(i * 3, 3))) return i + 1;
        take(false, 0);
        return 0;
    }
    unsigned time_of_day() noexcept {
        const unsigned hour = digits(2);
        literal(":");
        const unsigned minute = digits(2);
        literal(":");
        const unsigned second = digits(2);  // 60 is a leap second
        if (hour > 23 || minute > 59 || second > 60) take(false, 0);
        return hour * 3600 + minute * 60 + second;
    }
    unsigned space_padded_day() noexcept { return literal_if(" ") ? digits(1) : digits(2); }

    bool finished() const noexcept { return fits_ && rest_.empty(); }

   private:
    bool literal_if(std::string_view text) noexcept {
        const bool fits = rest_.starts_with(text);
        if (fits) take(true, text.size());
        return fits;
    }
    void take(bool fits, std::size_t size) noexcept {
        fits_ = fits_ && fits;
        rest_ = fits_ ? rest_.substr(size) : std::string_view{};
    }

    std::string_view rest_;
    bool fits_ = true;
};

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<std::int64_t> parse_imf_fixdate(std::string_view text) noexcept {
    Reader reader{text};
    DateParts civil;
    reader.day_name(3);
    reader.literal(", ");
    civil.day = reader.digits(2);
    reader.literal(" ");
    civil.month = reader.month();
    reader.literal(" ");
    civil.year = static_cast<int>(reader.digits(4));
    reader.literal(" ");
    civil.second_of_day = reader.time_of_day();
    reader.literal(" GMT");
    return reader.finished() ? to_unix_seconds(civil) : std::nullopt;
}

// "Sun Nov  6 08:49:37 1994"
std::optional<std::int64_t> parse_asctime_date(std::string_view text) noexcept {
    Reader reader{text};
    DateParts civil;
    reader.day_name(3);
    reader.literal(" ");
    civil.month = reader.month();
    reader.literal(" ");
    civil.day = reader.space_padded_day();
    reader.literal(" ");
    civil.second_of_day = reader.time_of_day();
    reader.literal(" ");
    civil.year = static_cast<int>(reader.digits(4));
    return reader.finished() ? to_unix_seconds(civil) : std::nullopt;
}

std::optional<std::int64_t> latest_within_50_years(DateParts civil, std::int64_t now) noexcept {
    // Try the next century first, then earlier ones: in 2099, "05" means 2105.
    for (int century = year_of(now) / 100 + 1; century >= 0; --century) {
        DateParts candidate = civil;
        candidate.year = century * 100 + civil.year;
        const auto seconds = to_unix_seconds(candidate);
        if (!seconds) continue;  // 29 February in a year without one
        candidate.year -= 50;
        if (candidate.month == 2 && candidate.day == 29) candidate.day = 28;
        if (to_unix_seconds(candidate) <= now) return seconds;
    }
    return std::nullopt;
}

// "Sunday, 06-Nov-94 08:49:37 GMT"
std::optional<std::int64_t> parse_rfc850_date(std::string_view text, std::int64_t now) noexcept {
    Reader reader{text};
    DateParts civil;
    reader.day_name(std::string_view::npos);
    reader.literal(", ");
    civil.day = reader.digits(2);
    reader.literal("-");
    civil.month = reader.month();
    reader.literal("-");
    civil.year = static_cast<int>(reader.digits(2));
    reader.literal(" ");
    civil.second_of_day = reader.time_of_day();
    reader.literal(" GMT");
    return reader.finished() ? latest_within_50_years(civil, now) : std::nullopt;
}

}  // namespace

void render_date(std::int64_t unix_seconds, std::span<char, date_size> into) noexcept {
    using namespace std::chrono;
    const sys_days day{floor<days>(seconds{unix_seconds})};
    const year_month_day date{day};
    const auto second =
        static_cast<unsigned>(unix_seconds - day.time_since_epoch().count() * seconds_per_day);
    const auto year = static_cast<unsigned>(static_cast<int>(date.year()));

    constexpr std::string_view form = "Sun, 06 Nov 1994 08:49:37 GMT";
    static_assert(form.size() == date_size);
    form.copy(into.data(), date_size);
    day_names[weekday{day}.c_encoding()].copy(into.data(), 3);
    put_two(&into[5], static_cast<unsigned>(date.day()));
    month_names.copy(&into[8], 3, (static_cast<unsigned>(date.month()) - 1) * 3);
    put_two(&into[12], year / 100);
    put_two(&into[14], year % 100);
    put_two(&into[17], second / 3600);
    put_two(&into[20], second / 60 % 60);
    put_two(&into[23], second % 60);
}

std::optional<std::int64_t> parse_date(std::string_view text,
                                       std::int64_t now_unix_seconds) noexcept {
    if (text.size() == date_size && text[3] == ',') return parse_imf_fixdate(text);
    if (text.size() == 24) return parse_asctime_date(text);
    return parse_rfc850_date(text, now_unix_seconds);
}

}  // namespace weir::http

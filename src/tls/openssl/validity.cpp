#include "tls/openssl/validity.h"

#include <array>
#include <ctime>
#include <utility>

namespace weir::tls {
namespace {

constexpr std::int64_t a_day = 24L * 60 * 60;

std::string day_of(std::int64_t unix_seconds) {
    const std::time_t time = unix_seconds;
    std::tm parts{};
    std::array<char, 32> text{};
    if (!::gmtime_r(&time, &parts)) return "?";
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

std::string time_left(std::int64_t seconds) {
    const auto days = seconds / a_day;
    if (days == 0) return "in less than a day";
    return days == 1 ? "in a day" : "in " + std::to_string(days) + " days";
}

}  // namespace

std::string Validity::sentence(std::int64_t now) const {
    if (now >= until) return name + " expired on " + day_of(until);
    if (now < from)
        return name + " is not valid before " + day_of(from) + ", and here it is " + day_of(now);
    if (now >= until - told_before)
        return name + " expires on " + day_of(until) + ", " + time_left(until - now);
    return {};
}

std::int64_t Validity::next(std::int64_t now) const noexcept {
    if (now < until - told_before) return until - told_before;
    return now < until ? until : INT64_MAX;
}

std::int64_t unix_seconds_of(const ASN1_TIME& time) {
    std::tm parts{};
    return ASN1_TIME_to_tm(&time, &parts) == 1 ? ::timegm(&parts) : 0;
}

Validity validity_of(const X509& certificate, std::string name) {
    return {.name = std::move(name),
            .from = unix_seconds_of(*X509_get0_notBefore(&certificate)),
            .until = unix_seconds_of(*X509_get0_notAfter(&certificate))};
}

}  // namespace weir::tls

// Dates are read and written as their grammar says, and preconditions are evaluated as RFC 9110
// 13.2.2 says. The first line is a date, the others are field lines.

#include <charconv>

#include "fuzz/field_input.h"
#include "fuzz/plain/date.h"
#include "http/answer/date.h"
#include "http/answer/preconditions.h"

namespace weir::tests {
namespace {

using plain::DateForm;
constexpr std::int64_t last_modified = 784'111'777;  // Sun, 06 Nov 1994 08:49:37 GMT
constexpr std::int64_t year_10000 = 253'402'300'800;

void check_reading(std::string_view text, std::int64_t now) {
    const ExactCopy copy{text};
    require(http::parse_date(copy.view(), now) == plain::read_date(text, now));
}

/// All forms of a moment lead back to it; of the short year, those that are near.
void check_writing(std::int64_t moment) {
    std::array<char, http::date_size> text;
    http::render_date(moment, text);
    const std::string_view written{text.data(), text.size()};
    require(written == plain::date_text(moment, DateForm::imf_fixdate));
    for (const DateForm form : {DateForm::imf_fixdate, DateForm::asctime, DateForm::rfc850})
        require(http::parse_date(plain::date_text(moment, form), moment) == moment);
}

void check_conditions(const FieldInput& input, const std::string& entity_tag, std::int64_t now) {
    const auto request = input.request();
    if (!request) return;
    const plain::Known known{entity_tag, last_modified};
    const http::Validators validators{known.entity_tag, known.last_modified};
    const auto verdict = http::evaluate_preconditions(request->get(), validators, now);
    const auto met = plain::evaluate(input.fields, known, now);
    require(!met || static_cast<int>(*met) == static_cast<int>(verdict));
    const bool current = http::range_is_current(request->get(), validators, now);
    const auto applies = plain::range_applies(input.fields, known, now);
    require(!applies || *applies == current);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string_view date = take_line(text);
    const std::int64_t now = last_modified + (input.choice % 3) * 1'000'000'000;
    check_reading(date, now);
    std::int64_t moment = 0;
    std::from_chars(date.data(), date.data() + date.size(), moment);
    check_writing(static_cast<std::int64_t>(static_cast<std::uint64_t>(moment) % year_10000));
    check_conditions(FieldInput::from(text, {"If-Match", "If-None-Match", "If-Modified-Since",
                                             "If-Unmodified-Since", "If-Range"}),
                     (input.choice & 1u) != 0 ? "W/\"a-1\"" : "\"a-1\"", now);
}

}  // namespace weir::tests

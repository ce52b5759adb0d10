// JSON of a CA. A problem becomes a sentence that a log can have. A time is read as a regular
// expression reads it.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>

#include "acme/json/problem.h"
#include "acme/keep/renewal.h"
#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

constexpr std::size_t sentence_bytes_max = 1'200;

std::optional<std::int64_t> model(const std::string& text) {
    static const std::regex form{
        R"((\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|6[01])(\.\d+)?)"
        R"((?:[Zz]|([+-])(\d\d):(\d\d)))"};
    std::smatch match;
    if (!std::regex_match(text, match, form)) return std::nullopt;
    const auto number = [&](std::size_t at) { return std::stoll("0" + match[at].str()); };
    using namespace std::chrono;
    const auto first =
        sys_days{year{static_cast<int>(number(1))} / month{static_cast<unsigned>(number(2))} / 1};
    const std::int64_t days = first.time_since_epoch().count() + number(3) - 1;
    const std::int64_t offset = (number(9) * 60 + number(10)) * 60;
    return days * 86'400 + number(4) * 3'600 + number(5) * 60 + number(6) -
           (match[8] == "-" ? -offset : offset);
}

void check_problem(const acme::Json& document) {
    for (const auto about : {acme::About::request, acme::About::binding, acme::About::challenge}) {
        const std::string sentence = acme::problem_of(document, about, 400).what();
        require(!sentence.empty() && sentence.size() <= sentence_bytes_max);
        require(std::ranges::all_of(sentence, [](char c) { return c >= ' ' && c <= '~'; }));
    }
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy text{input.text};
    if (text.view().size() <= 64) {
        const std::string time{text.view()};
        require(acme::parse_timestamp(time) == model(time));
    }
    const auto object = acme::parse_object(text.view());
    if (!object) return;
    check_problem(*object);
    if (const auto window = acme::window_in(*object)) require(window->start <= window->end);
    require(acme::parse_object(acme::written(*object)) == object);
}

}  // namespace weir::tests

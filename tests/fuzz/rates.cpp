// A rate is read as a regular expression has it, and stays within its limits.

#include <chrono>
#include <regex>

#include "cli/access/rate.h"
#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

const std::string number = R"(0*([1-9]\d{0,5}|1000000))";

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy text{input.text};
    const auto rate = cli::parse_rate(text.view());
    if (!rate) require(rate.error().starts_with("'"));
    if (text.view().size() > 200) return;  // the model takes long
    static const std::regex form{
        number + R"re(/([smh])(?: +(?:burst +)re" + number + R"re( *)?)?)re", std::regex::optimize};
    const std::string copy{text.view()};
    std::smatch match;
    const bool is_rate = std::regex_match(copy, match, form);
    if (copy.contains('\t')) return;  // what is trimmed is another's matter
    require(rate.has_value() == is_rate);
    if (!rate) return;
    const std::int64_t seconds = match[2] == "s" ? 1 : match[2] == "m" ? 60 : 3600;
    const std::int64_t per = std::stoll(match[1]);
    require(rate->interval.count() == seconds * 1'000'000 / per);
    require(rate->interval.count() > 0 && rate->burst > 0);
    if (match[3].matched) require(rate->burst == std::stoul(match[3]));
    const std::int64_t in_a_second = 1'000'000 / rate->interval.count();
    if (!match[3].matched) require(rate->burst == std::max<std::int64_t>(in_a_second, 1));
}

}  // namespace weir::tests

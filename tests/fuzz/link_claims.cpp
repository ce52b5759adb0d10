// What a signed link has in its query is there once, and is a plain number and a text. The model is a
// multimap of all parameters.

#include <map>
#include <regex>

#include "access/links/link_key.h"
#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

std::multimap<std::string, std::string> parameters(const std::string& query) {
    std::multimap<std::string, std::string> all;
    for (std::size_t begin = 0; begin <= query.size();) {
        const std::size_t end = std::min(query.find('&', begin), query.size());
        const std::string one = query.substr(begin, end - begin);
        if (const std::size_t equals = one.find('='); equals != one.npos)
            all.emplace(one.substr(0, equals), one.substr(equals + 1));
        begin = end + 1;
    }
    return all;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy query{input.text};
    const auto claim = access::LinkClaim::from(query.view());
    const auto all = parameters(std::string{query.view()});
    static const std::regex number{R"([1-9]\d{0,11})", std::regex::optimize};
    const bool is_claim = all.count("expires") == 1 && all.count("signature") == 1 &&
                          std::regex_match(all.find("expires")->second, number) &&
                          !all.find("signature")->second.empty();
    require(claim.has_value() == is_claim);
    if (!claim) return;
    require(std::to_string(claim->expires) == all.find("expires")->second);
    require(claim->signature == all.find("signature")->second);
}

}  // namespace weir::tests

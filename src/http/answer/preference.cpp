#include "http/answer/preference.h"

#include "base/trimmed.h"

namespace weir::http {
namespace {

/// Parses a qvalue, "0" to "1" with up to three decimals. Returns -1 if it is malformed.
int thousandths_from(std::string_view text) noexcept {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return -1;
    if (text.size() > 1 && text[1] != '.') return -1;
    int value = (text[0] - '0') * 1000;
    int unit = 100;
    for (const char c : text.substr(text.size() > 1 ? 2 : 1)) {
        if (c < '0' || c > '9') return -1;
        value += (c - '0') * unit;
        unit /= 10;
    }
    return value <= 1000 ? value : -1;
}

}  // namespace

Preference preference_from(std::string_view member) noexcept {
    Preference preference;
    std::size_t semicolon = member.find(';');
    preference.name = trimmed(member.substr(0, semicolon));
    while (semicolon != member.npos) {
        member.remove_prefix(semicolon + 1);
        semicolon = member.find(';');
        const auto parameter = trimmed(member.substr(0, semicolon));
        if (parameter.starts_with("q=") || parameter.starts_with("Q="))
            preference.thousandths = thousandths_from(parameter.substr(2));
    }
    return preference;
}

}  // namespace weir::http

#pragma once

#include <string_view>

namespace weir::site {

/// Without the white space (RFC 9110 5.6.3) around it.
constexpr std::string_view trimmed(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Calls `visit(member)` for each member of a list (RFC 9110 5.6.1): trimmed, the empty ones left
/// out, a comma inside a quoted string being no border.
template <typename Visit>
void for_each_member(std::string_view list, Visit visit) {
    while (!list.empty()) {
        bool quoted = false;
        std::size_t end = 0;
        for (; end < list.size() && (quoted || list[end] != ','); ++end) {
            if (list[end] == '"') quoted = !quoted;
            if (quoted && list[end] == '\\' && end + 1 < list.size()) ++end;
        }
        if (const auto member = trimmed(list.substr(0, end)); !member.empty()) visit(member);
        list.remove_prefix(end < list.size() ? end + 1 : end);
    }
}

/// What a member of Accept or Accept-Encoding names, and how much it is wanted.
struct Preference {
    std::string_view name;  // without its parameters
    int thousandths =
        1000;  // 0: not acceptable; -1: the weight is malformed, the member says nothing
};

/// RFC 9110 12.4.2
Preference preference_from(std::string_view member) noexcept;

}  // namespace weir::site

// What an element of X-Forwarded-For and of Forwarded says, by regular expressions.

#include <arpa/inet.h>

#include <array>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "access/proxies/hops.h"
#include "fuzz/fuzz_input.h"
#include "http/syntax/field_list.h"

namespace weir::tests {
namespace {

using access::Hop;
using Kind = Hop::Kind;

bool is_address(int family, const std::string& text) {
    std::array<unsigned char, 16> bytes{};
    return ::inet_pton(family, text.c_str(), bytes.data()) == 1;
}

struct Plain {
    Kind kind = Kind::malformed;
    std::string address{};
};

std::optional<Plain> hidden(const std::string& node) {
    static const std::regex form{"([Uu][Nn][Kk][Nn][Oo][Ww][Nn]|_[^:]*)(:[^]*)?"};
    if (std::regex_match(node, form)) return Plain{Kind::unnamed};
    return std::nullopt;
}

Plain plain_node(const std::string& node) {
    static const std::regex ipv6{R"(\[([0-9a-fA-F:.]+)\](:[0-9]{1,5})?)"};
    static const std::regex ipv4{R"(([0-9.]+)(:[0-9]{1,5})?)"};
    std::smatch part;
    if (std::regex_match(node, part, ipv6) && is_address(AF_INET6, part[1]))
        return {Kind::address, part[1]};
    if (std::regex_match(node, part, ipv4) && is_address(AF_INET, part[1]))
        return {Kind::address, part[1]};
    return {};
}

Plain plain_x_forwarded_for(const std::string& element) {
    static const std::regex bare{"[0-9a-fA-F:.]+"};
    if (const auto found = hidden(element)) return *found;
    if (std::regex_match(element, bare) && is_address(AF_INET6, element))
        return {Kind::address, element};
    return plain_node(element);
}

Plain plain_forwarded(std::string element) {
    static const std::regex pair{
        R"re(^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"([^"]*)")[ \t]*(;|$))re"};
    Plain found{Kind::unnamed};
    bool has_for = false;
    for (bool more = true; more;) {
        std::smatch part;
        if (element.contains('\0') || !std::regex_search(element, part, pair)) return {};
        const std::string value = part[2].matched ? part[2] : part[3];
        if (http::equals_ignoring_case(part[1].str(), "for")) {
            if (std::exchange(has_for, true)) return {};
            found = hidden(value).value_or(plain_node(value));
            if (found.kind == Kind::malformed) return {};
        }
        more = part[4] == ";";
        element = part.suffix();
    }
    return found;
}

void require_same(const Hop& hop, const Plain& plain) {
    require(hop.kind == plain.kind && hop.address == plain.address);
}

}  // namespace

/// A field has no NUL, no CR and no LF (RFC 9110 5.5).
void fuzz(const FuzzInput& input) {
    if (input.text.find_first_of(std::string_view{"\0\r\n", 3}) != input.text.npos) return;
    std::vector<std::string> elements;
    http::for_each_member(input.text,
                          [&](std::string_view element) { elements.emplace_back(element); });
    for (const std::string& element : elements) {
        const ExactCopy copy{element};
        require_same(access::read_x_forwarded_for(copy.view()), plain_x_forwarded_for(element));
        require_same(access::read_forwarded(copy.view()), plain_forwarded(element));
    }
}

}  // namespace weir::tests

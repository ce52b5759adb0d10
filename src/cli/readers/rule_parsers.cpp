#include "cli/readers/rule_parsers.h"

#include <algorithm>
#include <utility>

namespace weir::cli {
namespace {

Parsed<rules::AccessRule> parse_access(std::string_view text, bool allows) {
    const auto parts = rules::PathsAndRest::of(text);
    if (auto refusal = rules::Paths::refusal(parts.paths); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    const auto network = rules::Network::parse(parts.rest);
    if (!network) return std::unexpected{network.error()};
    return rules::AccessRule{
        .paths = rules::Paths{parts.paths}, .network = *network, .allows = allows};
}

}  // namespace

Parsed<AuthOption> parse_auth(std::string_view text) {
    const auto parts = rules::PathsAndRest::of(text);
    if (auto refusal = rules::Paths::refusal(parts.paths); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    if (parts.rest.empty())
        return std::unexpected{"'" + std::string{text} +
                               "' is not of the form 'PATHS: FILE', as in '/private/**: users'"};
    return AuthOption{.paths = rules::Paths{parts.paths}, .file = std::string{parts.rest}};
}

Parsed<std::string> parse_realm(std::string_view text) {
    const bool is_good = std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == 0x7f || c == '"' || c == '\\';
    });
    if (is_good) return std::string{text};
    return std::unexpected{"a realm has no quotes, backslashes and control characters"};
}

Parsed<std::uint64_t> parse_tries(std::string_view text) { return parse_count(text, 1'000'000); }

Parsed<rules::AccessRule> parse_allow(std::string_view text) { return parse_access(text, true); }

Parsed<rules::AccessRule> parse_deny(std::string_view text) { return parse_access(text, false); }

}  // namespace weir::cli

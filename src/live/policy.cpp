#include "live/policy.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "weir/http/field_name.h"

namespace weir::live {
namespace {

constexpr std::string_view white_space = " \t\n\f\r";
constexpr std::string_view self = "'self'";

struct Directive {
    std::string name;
    std::string sources;
};

std::string_view without_white_space(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(white_space);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

template <typename Visit>
void for_each_part(std::string_view text, std::string_view separators, Visit visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (const auto part = without_white_space(text.substr(0, end)); !part.empty()) visit(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::vector<Directive> directives_of(std::string_view policy) {
    std::vector<Directive> all;
    for_each_part(policy, ";", [&](std::string_view text) {
        const std::size_t end = std::min(text.find_first_of(white_space), text.size());
        all.push_back({.name = std::string{text.substr(0, end)},
                       .sources = std::string{without_white_space(text.substr(end))}});
    });
    return all;
}

bool has_source(std::string_view sources, std::string_view wanted) {
    bool has = false;
    for_each_part(sources, white_space, [&](std::string_view source) {
        has = has || http::equals_ignoring_case(source, wanted);
    });
    return has;
}

/// 'none' counts only if it stands alone, so the new source replaces it.
std::string with_source(const std::string& sources, const std::string& added) {
    if (sources.empty() || has_source(sources, "'none'")) return added;
    return sources + ' ' + added;
}

/// `names`: a directive and its fallbacks, in their order.
Directive* find_first(std::vector<Directive>& policy,
                      std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const auto found = std::ranges::find_if(policy, [&](const Directive& each) {
            return http::equals_ignoring_case(each.name, name);
        });
        if (found != policy.end()) return &*found;
    }
    return nullptr;
}

/// default-src is the fallback of other directives, too, so it stays, and `own` is added beside it.
void add_source(std::vector<Directive>& policy, Directive& to, std::string_view own,
                const std::string& source) {
    std::string sources = with_source(to.sources, source);
    if (http::equals_ignoring_case(to.name, "default-src"))
        policy.push_back({.name = std::string{own}, .sources = std::move(sources)});
    else
        to.sources = std::move(sources);
}

void allow_script(std::vector<Directive>& policy, std::string_view nonce) {
    Directive* const found = find_first(policy, {"script-src-elem", "script-src", "default-src"});
    if (found == nullptr) return;
    const bool is_strict = has_source(found->sources, "'strict-dynamic'");
    const std::string source = is_strict ? "'nonce-" + std::string{nonce} + "'" : std::string{self};
    if (has_source(found->sources, source)) return;
    if (!is_strict && has_source(found->sources, "*")) return;
    add_source(policy, *found, "script-src", source);
}

void allow_connection(std::vector<Directive>& policy) {
    Directive* const found = find_first(policy, {"connect-src", "default-src"});
    if (found == nullptr || has_source(found->sources, self) || has_source(found->sources, "*"))
        return;
    add_source(policy, *found, "connect-src", std::string{self});
}

}  // namespace

std::string policy_for_script(std::string_view policies, std::string_view nonce) {
    std::string all;
    for_each_part(policies, ",", [&](std::string_view text) {
        std::vector<Directive> policy = directives_of(text);
        allow_script(policy, nonce);
        allow_connection(policy);
        std::string made;
        for (const Directive& each : policy) {
            if (!made.empty()) made += "; ";
            made += each.name;
            if (!each.sources.empty()) made.append(" ").append(each.sources);
        }
        if (!all.empty()) all += ", ";
        all += made;
    });
    return all;
}

}  // namespace weir::live

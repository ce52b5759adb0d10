#include "site/answer/content_coding.h"

#include <algorithm>

#include "http/head/field_list.h"
#include "site/answer/preference.h"
#include "weir/http/field_name.h"

namespace weir::site {

using http::equals_ignoring_case;
using http::FieldName;

namespace {

constexpr std::size_t coding_count = static_cast<std::size_t>(Coding::identity) + 1;
constexpr int unsaid = -1;

/// The weight of each coding, as the client gave it.
struct Weights {
    std::array<int, coding_count> said{unsaid, unsaid, unsaid, unsaid};
    int others = unsaid;  // "*"

    void take(std::string_view member) noexcept {
        const auto [name, thousandths] = preference_from(member);
        if (thousandths < 0) return;
        if (name == "*") others = thousandths;
        if (equals_ignoring_case(name, "identity")) set(Coding::identity, thousandths);
        // RFC 9110 8.4.1.3: x-gzip is the same.
        if (equals_ignoring_case(name, "x-gzip")) set(Coding::gzip, thousandths);
        for (const auto& names : precompressed_codings)
            if (equals_ignoring_case(name, names.token)) set(names.coding, thousandths);
    }

    void set(Coding coding, int thousandths) noexcept {
        said[static_cast<std::size_t>(coding)] = thousandths;
    }

    /// Above 0 where it is acceptable. Twice the client's weight, so that there is room below
    /// 1/1000 for identity, which is acceptable though nobody said so.
    int of(Coding coding) const noexcept {
        if (const int own = said[static_cast<std::size_t>(coding)]; own != unsaid) return 2 * own;
        if (others != unsaid) return 2 * others;
        return coding == Coding::identity ? 1 : 0;
    }
};

/// Without a weight nothing is refused.
bool has_weights(const http::Request& request) noexcept {
    bool has = false;
    request.each(FieldName::accept_encoding,
                 [&](std::string_view value) { has = has || value.find(';') != value.npos; });
    return has;
}

constexpr CodingSet plain = [] {
    CodingSet set;
    set.add(Coding::identity);
    return set;
}();

}  // namespace

std::optional<Coding> choose_coding(const http::Request& request, CodingSet available) noexcept {
    // No field: any coding may be sent, but who doesn't say so may not know any.
    if (!request.has(FieldName::accept_encoding)) return Coding::identity;
    // What most requests come to: browsers always send the field.
    if (available == plain && !has_weights(request)) return Coding::identity;
    Weights weights;
    request.each(FieldName::accept_encoding, [&](std::string_view value) {
        http::for_each_member(value, [&](std::string_view member) { weights.take(member); });
    });

    std::optional<Coding> best;
    int best_weight = 0;
    for (std::size_t i = 0; i < coding_count; ++i) {
        const auto coding = static_cast<Coding>(i);
        if (!available.has(coding) || weights.of(coding) <= best_weight) continue;
        best = coding;
        best_weight = weights.of(coding);
    }
    return best;
}

}  // namespace weir::site

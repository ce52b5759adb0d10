#include "site/answer/content_coding.h"

#include <algorithm>

#include "http/answer/preference.h"
#include "http/head/field_list.h"
#include "weir/http/field_name.h"

namespace weir::site {

using http::equals_ignoring_case;
using http::FieldName;

namespace {

constexpr std::size_t coding_count = static_cast<std::size_t>(Coding::identity) + 1;
constexpr int unsaid = -1;

/// The weights of the codings in Accept-Encoding.
struct Weights {
    std::array<int, coding_count> said{unsaid, unsaid, unsaid, unsaid};
    int others = unsaid;  // "*"

    void take(std::string_view member) noexcept {
        const auto [name, thousandths] = http::preference_from(member);
        if (thousandths < 0) return;
        if (name == "*") others = thousandths;
        if (equals_ignoring_case(name, "identity")) set(Coding::identity, thousandths);
        // x-gzip means gzip (RFC 9110 8.4.1.3).
        if (equals_ignoring_case(name, "x-gzip")) set(Coding::gzip, thousandths);
        for (const auto& names : precompressed_codings)
            if (equals_ignoring_case(name, names.token)) set(names.coding, thousandths);
    }

    void set(Coding coding, int thousandths) noexcept {
        said[static_cast<std::size_t>(coding)] = thousandths;
    }

    /// Above 0 if the coding is acceptable. The value is twice the client's weight, so that
    /// identity can have a value below 1/1000: it is acceptable even if the client did not name it.
    int of(Coding coding) const noexcept {
        if (const int own = said[static_cast<std::size_t>(coding)]; own != unsaid) return 2 * own;
        if (others != unsaid) return 2 * others;
        return coding == Coding::identity ? 1 : 0;
    }
};

/// Without a weight, the client refuses no coding.
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
    // Without the field, any coding may be sent, but the client may not know any.
    if (!request.has(FieldName::accept_encoding)) return Coding::identity;
    // The common case: browsers always send the field.
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

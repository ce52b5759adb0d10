#include "site/types/content_coding.h"

#include "weir/http/field_name.h"

namespace weir::site {

using http::FieldName;

namespace {

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
    const http::CodingWeights weights{request};
    std::optional<Coding> best;
    int best_weight = 0;
    for (std::size_t i = 0; i < http::coding_count; ++i) {
        const auto coding = static_cast<Coding>(i);
        if (!available.has(coding) || weights.of(coding) <= best_weight) continue;
        best = coding;
        best_weight = weights.of(coding);
    }
    return best;
}

}  // namespace weir::site

#include <algorithm>

#include "http/answer/preference.h"
#include "http/head/field_list.h"
#include "weir/http/field_name.h"
#include "weir/web/resource.h"

namespace weir::web {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view start) noexcept {
    return text.size() >= start.size() &&
           http::equals_ignoring_case(text.substr(0, start.size()), start);
}

/// How exactly a media range names an offer: 0 is not at all.
int media_match(std::string_view range, std::string_view offer) noexcept {
    if (http::equals_ignoring_case(range, offer)) return 3;
    if (range.ends_with("/*") &&
        starts_with_ignoring_case(offer, range.substr(0, range.size() - 1)))
        return 2;
    return range == "*/*" ? 1 : 0;
}

int language_match(std::string_view range, std::string_view offer) noexcept {
    if (range == "*") return 1;
    if (!starts_with_ignoring_case(offer, range)) return 0;
    const bool is_whole = offer.size() == range.size() || offer[range.size()] == '-';
    return is_whole ? 2 + static_cast<int>(range.size()) : 0;
}

/// The weight that the field gives to an offer: the most exact member decides.
template <typename Match>
int weight_of(const http::Request& request, std::string_view field, std::string_view offer,
              Match match) {
    int exactness = 0;
    int weight = 0;
    for (const http::FieldLine& line : request.fields()) {
        if (!http::equals_ignoring_case(request.name_of(line), field)) continue;
        http::for_each_member(request.value_of(line), [&](std::string_view member) {
            const http::Preference preference = http::preference_from(member);
            const int its = match(preference.name, offer);
            if (its <= exactness || preference.thousandths < 0) return;
            exactness = its;
            weight = preference.thousandths;
        });
    }
    return weight;
}

template <typename Match>
std::string_view best_of(const Call& call, std::string_view field,
                         std::initializer_list<std::string_view> offers, Match match) {
    if (!call.field(field)) return offers.size() != 0 ? *offers.begin() : std::string_view{};
    std::string_view best;
    int best_weight = 0;
    for (const std::string_view offer : offers) {
        const int weight = weight_of(call.request(), field, offer, match);
        if (weight <= best_weight) continue;
        best = offer;
        best_weight = weight;
    }
    return best;
}

}  // namespace

std::string_view accepted(const Call& call, std::initializer_list<std::string_view> offers) {
    return best_of(call, "Accept", offers, media_match);
}

std::string_view accepted_language(const Call& call,
                                   std::initializer_list<std::string_view> offers) {
    const std::string_view best = best_of(call, "Accept-Language", offers, language_match);
    return best.empty() && offers.size() != 0 ? *offers.begin() : best;
}

}  // namespace weir::web

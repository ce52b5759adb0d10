#include <algorithm>

#include "http/answer/preference.h"
#include "http/syntax/field_list.h"
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

/// "de-CH" starts with the subtags "de".
bool starts_with_subtags(std::string_view tag, std::string_view start) noexcept {
    return starts_with_ignoring_case(tag, start) &&
           (tag.size() == start.size() || tag[start.size()] == '-');
}

int language_match(std::string_view range, std::string_view offer) noexcept {
    if (range == "*") return 1;
    return starts_with_subtags(offer, range) ? 2 + static_cast<int>(range.size()) : 0;
}

/// Visits the members of a field, but for malformed ones.
template <typename Visit>
void for_each_preference(const Call& call, std::string_view field, Visit visit) {
    for (const http::FieldLine& line : call.request().fields()) {
        if (!http::equals_ignoring_case(call.request().name_of(line), field)) continue;
        http::for_each_member(call.request().value_of(line), [&](std::string_view member) {
            const http::Preference preference = http::preference_from(member);
            if (preference.thousandths >= 0) visit(preference);
        });
    }
}

struct Weight {
    int exactness = 0;
    int thousandths = 0;
};

/// The weight that the field gives to an offer: the most exact member decides.
template <typename Match>
Weight weight_of(const Call& call, std::string_view field, std::string_view offer, Match match) {
    Weight weight;
    for_each_preference(call, field, [&](const http::Preference& preference) {
        const int exactness = match(preference.name, offer);
        if (exactness > weight.exactness) weight = {exactness, preference.thousandths};
    });
    return weight;
}

/// The offer of the highest weight, and of equals the first. Empty if none has any.
template <typename WeightOf>
std::string_view best_of(std::initializer_list<std::string_view> offers, WeightOf weight_of) {
    std::string_view best;
    int best_weight = 0;
    for (const std::string_view offer : offers) {
        const int weight = weight_of(offer);
        if (weight <= best_weight) continue;
        best = offer;
        best_weight = weight;
    }
    return best;
}

std::string_view first_of(std::initializer_list<std::string_view> offers) noexcept {
    return offers.size() != 0 ? *offers.begin() : std::string_view{};
}

constexpr std::string_view languages = "Accept-Language";

/// RFC 4647 3.4: a range loses subtags from its end until it is an offer.
bool finds(std::string_view range, std::string_view offer,
           std::initializer_list<std::string_view> offers) noexcept {
    return starts_with_subtags(range, offer) &&
           std::ranges::none_of(offers, [&](std::string_view other) {
               return starts_with_subtags(other, range) ||
                      (other.size() > offer.size() && starts_with_subtags(range, other));
           });
}

/// Of equal weights, that for the tag itself is the higher one.
int weight_of_language(const Call& call, std::string_view offer,
                       std::initializer_list<std::string_view> offers) {
    const Weight weight = weight_of(call, languages, offer, language_match);
    const bool is_named = weight.exactness > 1;
    if (is_named && weight.thousandths == 0) return 0;
    const bool is_exact = weight.exactness == language_match(offer, offer);
    int found = 0;
    for_each_preference(call, languages, [&](const http::Preference& preference) {
        if (finds(preference.name, offer, offers)) found = std::max(found, preference.thousandths);
    });
    if (!is_named && found > 0) return 2 * found;
    return std::max(2 * weight.thousandths + int{is_exact && weight.thousandths > 0}, 2 * found);
}

}  // namespace

std::string_view accepted(const Call& call, std::initializer_list<std::string_view> offers) {
    constexpr std::string_view field = "Accept";
    if (!call.field(field)) return first_of(offers);
    return best_of(offers, [&](std::string_view offer) {
        return weight_of(call, field, offer, media_match).thousandths;
    });
}

std::string_view accepted_language(const Call& call,
                                   std::initializer_list<std::string_view> offers) {
    const std::string_view best = best_of(
        offers, [&](std::string_view offer) { return weight_of_language(call, offer, offers); });
    return best.empty() ? first_of(offers) : best;
}

}  // namespace weir::web

#include "dav/request/if_field.h"

#include <algorithm>

#include "base/trimmed.h"
#include "weir/http/field_name.h"

namespace weir::dav {
namespace {

using Condition = IfField::Condition;
using List = IfField::List;

/// Reads the grammar of RFC 4918 10.4.2 from left to right.
class Parser {
   public:
    explicit Parser(std::string_view text) noexcept : rest_{trimmed(text)} {}

    std::optional<std::vector<List>> all() {
        const bool is_tagged = rest_.starts_with('<');
        while (!rest_.empty())
            if (!(is_tagged ? tagged_lists() : list({}))) return std::nullopt;
        return lists_.empty() ? std::nullopt : std::optional{std::move(lists_)};
    }

   private:
    bool tagged_lists() {
        const auto resource = between('<', '>');
        if (!resource || resource->empty() || !rest_.starts_with('(')) return false;
        while (rest_.starts_with('('))
            if (!list(std::string{*resource})) return false;
        return true;
    }

    bool list(std::string resource) {
        if (!take("(")) return false;
        List made{.resource = std::move(resource)};
        while (!rest_.starts_with(')')) {
            auto each = condition();
            if (!each || ++conditions_ > IfField::conditions_max) return false;
            made.conditions.push_back(std::move(*each));
        }
        if (made.conditions.empty()) return false;
        lists_.push_back(std::move(made));
        return take(")");
    }

    std::optional<Condition> condition() {
        Condition made{.is_negated = take_not()};
        made.is_tag = rest_.starts_with('[');
        const auto text = made.is_tag ? tag() : between('<', '>');
        if (!text || text->empty()) return std::nullopt;
        made.text = *text;
        return made;
    }

    bool take_not() {
        if (!http::equals_ignoring_case(rest_.substr(0, 3), "Not")) return false;
        return take(rest_.substr(0, 3));
    }

    /// An entity tag may have a bracket between its quotes (RFC 9110 8.8.3).
    std::optional<std::string_view> tag() {
        const std::size_t begin = rest_.starts_with("[W/") ? 3 : 1;
        if (begin >= rest_.size() || rest_[begin] != '"') return std::nullopt;
        const auto quote = rest_.find('"', begin + 1);
        if (quote == rest_.npos || !rest_.substr(quote + 1).starts_with(']')) return std::nullopt;
        const std::string_view text = rest_.substr(1, quote);
        take(rest_.substr(0, quote + 2));
        return text;
    }

    std::optional<std::string_view> between(char open, char close) {
        const auto end = rest_.find(close);
        if (!rest_.starts_with(open) || end == rest_.npos) return std::nullopt;
        const std::string_view text = rest_.substr(1, end - 1);
        if (text.find_first_of(" \t<\"") != text.npos) return std::nullopt;
        take(rest_.substr(0, end + 1));
        return text;
    }

    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_ = trimmed(rest_.substr(text.size()));
        return true;
    }

    std::string_view rest_;
    std::vector<List> lists_;
    std::size_t conditions_ = 0;
};

}  // namespace

std::optional<IfField> IfField::parse(std::string_view text) {
    auto lists = Parser{text}.all();
    if (!lists) return std::nullopt;
    IfField field;
    field.lists_ = std::move(*lists);
    return field;
}

bool IfField::hold(const Holds& holds) const {
    return std::ranges::any_of(lists_, [&](const List& list) {
        return std::ranges::all_of(list.conditions, [&](const Condition& each) {
            return holds(list.resource, each) != each.is_negated;
        });
    });
}

std::vector<std::string> IfField::tokens() const {
    std::vector<std::string> all;
    for (const List& list : lists_)
        for (const Condition& each : list.conditions)
            if (!each.is_tag && !each.is_negated) all.push_back(each.text);
    return all;
}

}  // namespace weir::dav

#include "fuzz/plain/conditions.h"

#include <algorithm>
#include <regex>

#include "fuzz/plain/date.h"

namespace weir::tests::plain {
namespace {

const std::regex one_tag{"(W/)?\"[^\"\\x01-\\x20\\x7f]*\""};
const std::regex blanks_and_commas{"[ \\t,]*"};
const std::regex separator{"[ \\t]*(,[ \\t,]*|$)"};
const std::string weak = "W/";

enum class Compare : std::uint8_t { strongly, weakly };

std::string opaque(const std::string& tag) {
    return tag.starts_with(weak) ? tag.substr(weak.size()) : tag;
}

/// Whether a field with entity tags names the known one. Nothing if it is malformed.
std::optional<bool> names(const std::vector<std::string>& lines, const Known& known, Compare how) {
    bool found = false;
    for (const std::string& line : lines) {
        const auto tags = read_entity_tags(line);
        if (line == "*" && lines.size() == 1) return true;
        if (!tags) return std::nullopt;
        for (const std::string& tag : *tags)
            found = found ||
                    (how == Compare::weakly ? opaque(tag) == opaque(known.entity_tag)
                                            : tag == known.entity_tag && !tag.starts_with(weak));
    }
    return found;
}

/// A date that comes twice is no date.
std::optional<std::int64_t> date_in(const std::vector<std::string>& lines, std::int64_t now) {
    return lines.size() == 1 ? read_date(lines[0], now) : std::nullopt;
}

}  // namespace

std::vector<std::string> lines_of(const Fields& fields, std::string_view name) {
    std::vector<std::string> lines;
    for (const auto& [own, value] : fields)
        if (own == name) lines.push_back(value);
    return lines;
}

std::optional<std::vector<std::string>> read_entity_tags(std::string_view line) {
    const std::string text{line};
    if (text.size() > 1000) return std::nullopt;
    std::vector<std::string> tags;
    std::smatch part;
    auto at = text.cbegin();
    const auto take = [&](const std::regex& form) {
        const auto flags = std::regex_constants::match_continuous;
        const bool fits = std::regex_search(at, text.cend(), part, form, flags);
        if (fits) at = part[0].second;
        return fits;
    };
    take(blanks_and_commas);
    while (at != text.cend()) {
        if (!take(one_tag)) return std::nullopt;
        tags.push_back(part[0]);
        if (!take(separator)) return std::nullopt;
    }
    return tags;
}

std::optional<Met> evaluate(const Fields& fields, const Known& known, std::int64_t now) {
    const auto if_match = lines_of(fields, "If-Match");
    const auto if_none_match = lines_of(fields, "If-None-Match");
    if (!if_match.empty()) {
        const auto found = names(if_match, known, Compare::strongly);
        if (!found) return std::nullopt;
        if (!*found) return Met::precondition_failed;
    } else if (const auto date = date_in(lines_of(fields, "If-Unmodified-Since"), now);
               date && known.last_modified && *known.last_modified > *date) {
        return Met::precondition_failed;
    }
    if (!if_none_match.empty()) {
        const auto found = names(if_none_match, known, Compare::weakly);
        if (!found) return std::nullopt;
        return *found ? Met::not_modified : Met::proceed;
    }
    const auto date = date_in(lines_of(fields, "If-Modified-Since"), now);
    return date && known.last_modified && *known.last_modified <= *date ? Met::not_modified
                                                                        : Met::proceed;
}

std::optional<bool> range_applies(const Fields& fields, const Known& known, std::int64_t now) {
    const auto lines = lines_of(fields, "If-Range");
    if (lines.empty()) return true;
    if (lines.size() > 1) return std::nullopt;
    const std::string& condition = lines[0];
    if (condition.starts_with('"') || condition.starts_with(weak))
        return condition == known.entity_tag && !condition.starts_with(weak);
    // A date of this very second is a weak validator (RFC 9110 8.8.2.2).
    const auto date = read_date(condition, now);
    return date && date == known.last_modified && *date < now;
}

}  // namespace weir::tests::plain

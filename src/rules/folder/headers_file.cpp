#include "rules/folder/headers_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "http/syntax/name_list.h"
#include "http/syntax/singleton_fields.h"
#include "site/fields/field_rules.h"
#include "weir/http/field_name.h"

namespace weir::rules {
namespace {

using http::equals_ignoring_case;
using http::is_one_of;

/// Refuses names that the site allows in its own rules. Returns the reason, or empty.
std::string refuse_name(std::string_view name) {
    // RFC 9110 7.6.1
    constexpr std::array<std::string_view, 5> of_connection{"Proxy-Connection", "TE", "Trailer",
                                                            "Upgrade", "Proxy-Authenticate"};
    if (equals_ignoring_case(name, "Basic-Auth"))
        return "Basic-Auth is not supported, and nothing asks for this password: use --auth";
    if (equals_ignoring_case(name, "WWW-Authenticate") || is_one_of(name, of_connection))
        return "the field " + std::string{name} + " can't be set: it belongs to the server";
    return {};
}

std::string refuse_field(const std::string& name, const std::string& value) {
    if (std::string why = refuse_name(name); !why.empty()) return why;
    const auto checked = site::FieldRules::from({{.name = name, .value = value}});
    return checked ? std::string{} : checked.error();
}

class Reader {
   public:
    HeadersFile read(std::string_view content) {
        for_each_rule_line(content, file_.faults, [this](std::size_t number, auto line) {
            const bool is_indented = line.starts_with(' ') || line.starts_with('\t');
            std::string why = is_indented ? refuse_line(trimmed(line)) : refuse_path(trimmed(line));
            if (!why.empty()) file_.faults.push_back({number, std::move(why)});
        });
        std::erase_if(file_.rules, [](const HeaderRule& rule) { return rule.lines.empty(); });
        return std::move(file_);
    }

   private:
    enum class Below : std::uint8_t { nothing, path, wrong_path };

    std::string refuse_path(std::string_view text) {
        below_ = Below::wrong_path;
        auto path = PathForm::parse(text);
        if (!path) return "the path '" + std::string{text} + "' " + path.error();
        below_ = Below::path;
        file_.rules.push_back({.path = std::move(*path), .lines = {}});
        return {};
    }

    std::string refuse_line(std::string_view text) {
        if (below_ == Below::wrong_path) return "the path above is not followed";
        if (below_ == Below::nothing) return "there is no path above this line";
        if (lines_ == rules_max) return "there are more than 2000 lines of fields";
        HeaderRule::Line line;
        std::string why = text.starts_with('!') ? refuse_removal(line, trimmed(text.substr(1)))
                                                : refuse_addition(line, text);
        if (!why.empty()) return why;
        ++lines_;
        file_.rules.back().lines.push_back(std::move(line));
        return {};
    }

    static std::string refuse_removal(HeaderRule::Line& line, std::string_view name) {
        line.name = name;
        return refuse_field(line.name, {});
    }

    std::string refuse_addition(HeaderRule::Line& line, std::string_view text) const {
        const std::size_t colon = text.find(':');
        if (colon == text.npos) return "the line is neither 'Name: value' nor '! Name'";
        line.name = trimmed(text.substr(0, colon));
        line.value = trimmed(text.substr(colon + 1));
        if (line.value.empty()) return "the field has no value; '! " + line.name + "' removes it";
        for (const std::string& name : file_.rules.back().path.names())
            if (line.value.contains(":" + name))
                return "the value uses :" + name + ", but here values are not changed";
        return refuse_field(line.name, line.value);
    }

    HeadersFile file_;
    std::size_t lines_ = 0;
    Below below_ = Below::nothing;
};

/// True for lists in which a comma may be part of a member (RFC 6265 3, RFC 8288 3).
bool keeps_its_lines(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 2> names{"Set-Cookie", "Link"};
    return is_one_of(name, names);
}

void add(HeaderChanges& changes, const HeaderRule::Line& line) {
    const auto known = std::ranges::find_if(changes.added, [&line](const HeaderRule::Line& each) {
        return equals_ignoring_case(each.name, line.name);
    });
    if (known == changes.added.end() || keeps_its_lines(line.name))
        changes.added.push_back(line);
    else if (http::is_singleton(line.name))
        known->value = line.value;
    else
        known->value.append(", ").append(line.value);
}

void remove(HeaderChanges& changes, const std::string& name) {
    std::erase_if(changes.added, [&name](const HeaderRule::Line& each) {
        return equals_ignoring_case(each.name, name);
    });
    changes.removed.push_back(name);
}

}  // namespace

HeadersFile read_headers(std::string_view content) { return Reader{}.read(content); }

HeaderChanges changes_for(const std::vector<HeaderRule>& rules, std::string_view path) {
    HeaderChanges changes;
    Captures captures;
    for (const HeaderRule& rule : rules) {
        if (!rule.path.matches(path, captures)) continue;
        for (const HeaderRule::Line& line : rule.lines)
            line.value.empty() ? remove(changes, line.name) : add(changes, line);
    }
    return changes;
}

}  // namespace weir::rules

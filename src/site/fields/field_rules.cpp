#include "site/fields/field_rules.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "http/syntax/field_lines.h"
#include "http/syntax/field_list.h"
#include "http/syntax/name_list.h"
#include "site/path/glob.h"
#include "site/types/media_types.h"
#include "weir/http/field_name.h"
#include "weir/http/response.h"

namespace weir::site {

using http::equals_ignoring_case;
using http::for_each_member;

namespace {

bool is_vary(std::string_view name) { return equals_ignoring_case(name, "Vary"); }

/// A list of field names (RFC 9110 12.5.5, Fetch Standard).
bool lists_names(std::string_view name) {
    return is_vary(name) || equals_ignoring_case(name, "Access-Control-Expose-Headers");
}

}  // namespace

void FieldSet::set(std::string_view name, std::string_view value) {
    std::erase_if(fields_,
                  [&](const auto& field) { return equals_ignoring_case(field.first, name); });
    if (!value.empty()) fields_.emplace_back(name, value);
}

void FieldSet::put(std::string_view name, std::string_view value) {
    if (value.empty()) return set(name, value);
    if (lists_names(name)) return add_members(name, value);
    if (equals_ignoring_case(name, "Link")) return add_line(name, value);
    set(name, value);
}

/// Each member occurs once.
void FieldSet::add_members(std::string_view name, std::string_view members) {
    std::string list{value(name)};
    for_each_member(members, [&](std::string_view member) {
        bool known = false;
        for_each_member(list, [&](std::string_view one) {
            known = known || equals_ignoring_case(one, member);
        });
        if (!known) list.append(list.empty() ? "" : ", ").append(member);
    });
    set(name, list);
}

/// A member of Link may have a comma in its URI (RFC 8288 3), so each value keeps its own line
/// (RFC 9110 5.3).
void FieldSet::add_line(std::string_view name, std::string_view value) {
    const bool known = std::ranges::any_of(fields_, [&](const auto& field) {
        return field.second == value && equals_ignoring_case(field.first, name);
    });
    if (!known) fields_.emplace_back(name, value);
}

FieldSet FieldSet::from(std::string_view lines) {
    FieldSet fields;
    while (!lines.empty()) {
        const std::size_t end = lines.find("\r\n");
        const std::string_view line = lines.substr(0, end);
        const std::size_t colon = line.find(": ");
        fields.put(line.substr(0, colon), line.substr(colon + 2));
        lines.remove_prefix(end + 2);
    }
    return fields;
}

std::string_view FieldSet::value(std::string_view name) const noexcept {
    for (const auto& [own, value] : fields_)
        if (equals_ignoring_case(own, name)) return value;
    return {};
}

namespace {

bool has_line(const http::Response& response, std::string_view name, std::string_view value) {
    bool has = false;
    http::for_each_line(response, [&](std::string_view, auto own, auto own_value) {
        has = has || (own_value == value && equals_ignoring_case(own, name));
    });
    return has;
}

bool has_member(const http::Response& response, std::string_view name, std::string_view member) {
    bool has = false;
    http::for_each_line(response, [&](std::string_view, auto own, auto list) {
        if (!equals_ignoring_case(own, name)) return;
        for_each_member(list, [&](auto one) { has = has || equals_ignoring_case(one, member); });
    });
    return has;
}

}  // namespace

void put(http::Response& response, std::string_view name, std::string_view value) {
    if (value.empty()) {
        response.remove(name);
    } else if (lists_names(name)) {
        for_each_member(value, [&](std::string_view member) {
            if (!has_member(response, name, member)) response.append(name, member);
        });
    } else if (!equals_ignoring_case(name, "Link")) {
        response.set(name, value);
    } else if (!has_line(response, name, value)) {
        response.add(name, value);
    }
}

std::string FieldSet::take_line(std::string_view name) {
    const std::string_view found = value(name);
    if (found.empty()) return {};
    std::string line{name};
    line.append(": ").append(found).append("\r\n");
    set(name, "");
    return line;
}

std::string FieldSet::lines() const {
    std::string lines;
    for (const auto& [name, value] : fields_) http::append_line(lines, name, value);
    return lines;
}

namespace {

/// Fields that a rule must not set. They follow from the file and the request; a wrong value would
/// break caches or resumed downloads.
bool is_derived(std::string_view name) {
    constexpr std::array<std::string_view, 7> derived = {
        "Allow",   "ETag", "Last-Modified", "Accept-Ranges", "Content-Range", "Content-Encoding",
        "Location"};
    return http::is_one_of(name, derived);
}

bool media_type_matches(std::string_view pattern, std::string_view media_type) {
    if (!pattern.ends_with("/*")) return equals_ignoring_case(pattern, media_type);
    pattern.remove_suffix(1);
    return equals_ignoring_case(pattern, media_type.substr(0, pattern.size()));
}

/// True for a field that describes the content. A rule may set it for a file, but it would be wrong
/// for the page of an error.
bool is_of_content(std::string_view name) {
    constexpr std::array<std::string_view, 4> of_content = {"Content-Type", "Content-Disposition",
                                                            "Content-Language", "Content-Location"};
    return http::is_one_of(name, of_content);
}

/// Returns the error message for a wrong rule; empty if the rule is right.
std::string fault_of(const FieldRule& rule) {
    if (is_derived(rule.name))
        return "the field " + rule.name +
               " can't be set: weir derives it from the file or the request";
    if (is_vary(rule.name) && rule.value.empty())
        return "the field Vary can't be removed: caches need it";
    if (!is_pattern(rule.glob)) return not_a_pattern(rule.glob);
    try {
        http::Response{}.add(rule.name, rule.value);
    } catch (const std::invalid_argument& error) {
        return "the field '" + rule.name + "' can't be set: " + error.what();
    }
    return {};
}

}  // namespace

std::expected<FieldRules, std::string> FieldRules::from(std::vector<FieldRule> rules) {
    for (const FieldRule& rule : rules)
        if (std::string fault = fault_of(rule); !fault.empty())
            return std::unexpected{std::move(fault)};
    FieldRules result;
    result.rules_ = std::move(rules);
    return result;
}

template <typename Visit>
void FieldRules::for_each(std::string_view path, std::string_view media_type, AnswerKind kind,
                          Visit visit) const {
    for (const FieldRule& rule : rules_) {
        if (!path_matches(rule.glob, path)) continue;
        if (!rule.media_type.empty() && !media_type_matches(rule.media_type, media_type)) continue;
        if (kind == AnswerKind::other && (rule.delivered_only || is_of_content(rule.name)))
            continue;
        visit(rule);
    }
}

void FieldRules::apply(std::string_view path, std::string_view media_type, FieldSet& fields,
                       AnswerKind kind) const {
    for_each(path, media_type, kind,
             [&](const FieldRule& rule) { fields.put(rule.name, rule.value); });
}

void FieldRules::add_to(http::Response& response, std::string_view path) const {
    const std::string media_type{without_parameters(response.get("Content-Type").value_or(""))};
    for_each(path, media_type, AnswerKind::other,
             [&](const FieldRule& rule) { put(response, rule.name, rule.value); });
}

http::Response FieldRules::completed(http::Response response, std::string_view path) const {
    FieldSet fields =
        FieldSet::from(std::string{response.prepared_fields()}.append(response.own_fields()));
    const std::string media_type{without_parameters(fields.value("Content-Type"))};
    const bool not_modified = response.status() == http::Status::not_modified;
    const bool delivers = response.status() == http::Status::ok || not_modified;
    apply(path, media_type, fields, delivers ? AnswerKind::delivery : AnswerKind::other);

    http::Response complete{response.status()};
    fields.for_each([&](std::string_view name, std::string_view value) {
        // RFC 9110 15.4.5: they were needed for the rules alone.
        if (!not_modified || !name.starts_with("Content-")) complete.add(name, value);
    });
    complete.content() = std::move(response.content());
    complete.retain(std::move(response.owner()));
    if (response.closes()) complete.close();
    return complete;
}

}  // namespace weir::site

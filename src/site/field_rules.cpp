#include "site/field_rules.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "site/glob.h"
#include "weir/http/field_name.h"
#include "weir/http/response.h"

namespace weir::site {

using http::equals_ignoring_case;

void FieldSet::set(std::string_view name, std::string_view value) {
    std::erase_if(fields_,
                  [&](const auto& field) { return equals_ignoring_case(field.first, name); });
    if (!value.empty()) fields_.emplace_back(name, value);
}

std::string_view FieldSet::value(std::string_view name) const noexcept {
    for (const auto& [own, value] : fields_)
        if (equals_ignoring_case(own, name)) return value;
    return {};
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
    for (const auto& [name, value] : fields_)
        lines.append(name).append(": ").append(value).append("\r\n");
    return lines;
}

namespace {

/// What a rule may not say: these follow from the file and the request, and a lie would break
/// caches or resumed downloads.
bool is_derived(std::string_view name) {
    constexpr std::array<std::string_view, 7> derived = {
        "ETag",     "Last-Modified", "Accept-Ranges", "Content-Range", "Content-Encoding",
        "Location", "Vary"};
    return std::ranges::any_of(derived,
                               [&](auto field) { return equals_ignoring_case(field, name); });
}

bool media_type_matches(std::string_view pattern, std::string_view media_type) {
    if (!pattern.ends_with("/*")) return equals_ignoring_case(pattern, media_type);
    pattern.remove_suffix(1);
    return equals_ignoring_case(pattern, media_type.substr(0, pattern.size()));
}

bool path_matches(std::string_view glob, std::string_view path) {
    if (!glob.starts_with('/')) path.remove_prefix(path.rfind('/') + 1);
    return glob_matches(glob, path);
}

}  // namespace

std::expected<FieldRules, std::string> FieldRules::from(std::vector<FieldRule> rules) {
    FieldRules result;
    for (const FieldRule& rule : rules) {
        if (is_derived(rule.name))
            return std::unexpected{"the field " + rule.name +
                                   " can't be set: it follows from the file"};
        if (!rule.glob.starts_with('/') && rule.glob.find('/') != rule.glob.npos)
            return std::unexpected{"the pattern '" + rule.glob +
                                   "' has a '/' and must start with one, or with '/**/'"};
        try {
            http::Response{}.add(rule.name, rule.value);
        } catch (const std::invalid_argument& error) {
            return std::unexpected{"the field '" + rule.name + "' can't be set: " + error.what()};
        }
    }
    result.rules_ = std::move(rules);
    return result;
}

void FieldRules::apply(std::string_view path, std::string_view media_type, FieldSet& fields) const {
    for (const FieldRule& rule : rules_)
        if ((rule.glob.empty() || path_matches(rule.glob, path)) &&
            (rule.media_type.empty() || media_type_matches(rule.media_type, media_type)))
            fields.set(rule.name, rule.value);
}

}  // namespace weir::site

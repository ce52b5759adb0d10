#include "cli/config/shape.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <ranges>

#include "cli/option/near_miss.h"

namespace weir::cli::config {
namespace {

/// The alternatives in the name of a value: "FILE", "-" and "off" of "FILE|-|off".
std::vector<std::string_view> parts_of(std::string_view value_name) {
    std::vector<std::string_view> parts;
    for (const auto part : std::views::split(value_name, '|')) parts.emplace_back(part);
    return parts;
}

bool is_one_of(std::string_view part, std::span<const std::string_view> names) {
    return std::ranges::find(names, part) != names.end();
}

bool is_number(std::string_view part) {
    return is_one_of(part, std::array<std::string_view, 2>{"N", "PORT"});
}

bool is_quantity(std::string_view part) {
    return is_one_of(part, std::array<std::string_view, 2>{"SIZE", "TIME"});
}

bool is_path(std::string_view part) {
    return is_one_of(part, std::array<std::string_view, 3>{"PATH", "FILE", "DIR"});
}

/// True for a word of the option, and for the name of an engine: neither is a placeholder for other
/// texts.
bool is_word(std::string_view part, const Values& values) {
    return part == "ENGINE" || std::ranges::find(values.words, part) != values.words.end();
}

std::string below(std::string_view folder, std::string_view path) {
    if (path.empty() || folder.empty() || path.starts_with('/')) return std::string{path};
    return (std::filesystem::path{folder} / path).lexically_normal().string();
}

/// 'FILES: FILE' names a path after its last colon. Returns the number of colons; 0 if the value's
/// name is no such list.
std::size_t colons_before_path(std::string_view value_name) {
    if (value_name.starts_with('\'')) value_name.remove_prefix(1);
    if (value_name.ends_with('\'')) value_name.remove_suffix(1);
    const auto last = value_name.rfind(": ");
    if (last == value_name.npos || !is_path(value_name.substr(last + 2))) return 0;
    return static_cast<std::size_t>(std::ranges::count(value_name, ':'));
}

/// If there is no colon, the whole text is the path, for all files.
std::string behind_colons(std::string_view text, std::size_t colons, std::string_view folder) {
    if (!text.contains(':')) return below(folder, text);
    std::size_t at = 0;
    for (; colons > 0; --colons) {
        at = text.find(':', at);
        if (at == text.npos) return std::string{text};  // the option's reader refuses it
        ++at;
    }
    at = std::min(text.find_first_not_of(' ', at), text.size());
    return std::string{text.substr(0, at)} + below(folder, text.substr(at));
}

/// "unix:" of "unix:PATH", if `text` begins with it; empty if no part does. An address may be that
/// of a socket, too.
std::string_view prefix_before_path(std::span<const std::string_view> parts,
                                    std::string_view text) {
    for (std::string_view part : parts) {
        if (part == "ADDRESS") part = "unix:PATH";
        const auto prefix = part.substr(0, part.find(':') + 1);
        if (!prefix.empty() && part.substr(prefix.size()) == "PATH" && text.starts_with(prefix))
            return prefix;
    }
    return {};
}

std::string misfit(const Value& value, const Shape& shape) {
    if (value.kind != Value::Kind::text) return value.text + " is not " + in_words(shape);
    const std::string text = '\'' + value.text + '\'';
    if (shape.number || shape.flag)
        return text + " is a text, not " + in_words(shape) + ", which is written without quotes";
    return text + " is not " + in_words(shape);
}

}  // namespace

Shape shape_of(const Option& option) {
    Shape shape{.flag = !option.takes_value() || option.value_is_optional, .words = {}};
    if (!option.takes_value()) return shape;
    const auto parts = parts_of(option.value_name);
    const Values values = values_of(option);
    shape.number = std::ranges::any_of(
        parts, [](std::string_view part) { return is_number(part) || is_quantity(part); });
    shape.text = !std::ranges::all_of(parts, is_number);
    if (std::ranges::all_of(parts, [&](std::string_view part) { return is_word(part, values); }))
        shape.words = values.words;
    return shape;
}

std::string in_words(const Shape& shape) {
    std::vector<std::string> kinds;
    if (shape.flag) kinds.emplace_back("true or false");
    if (shape.number) kinds.emplace_back("a number");
    if (shape.text && shape.words.empty()) kinds.emplace_back("a text in quotes");
    if (!shape.words.empty()) kinds.push_back("one of " + enumerated(shape.words, " and "));
    return enumerated(kinds, " or ", " or ");
}

std::expected<std::string, std::string> text_of(const Option& option, const Value& value,
                                                std::string_view folder) {
    const Shape shape = shape_of(option);
    const bool fits = (value.kind == Value::Kind::flag && shape.flag) ||
                      (value.kind == Value::Kind::number && shape.number) ||
                      (value.kind == Value::Kind::text && shape.text);
    if (!fits) return std::unexpected{misfit(value, shape)};
    if (value.text.empty()) return std::unexpected{"the text is empty"};
    if (value.text.contains('\0')) return std::unexpected{"a text has no NUL"};
    if (value.kind != Value::Kind::text) return value.text;
    return resolved(option, value.text, folder);
}

std::string resolved(const Option& option, std::string_view text, std::string_view folder) {
    if (const auto colons = colons_before_path(option.value_name))
        return behind_colons(text, colons, folder);
    const auto parts = parts_of(option.value_name);
    if (const auto prefix = prefix_before_path(parts, text); !prefix.empty())
        return std::string{prefix} + below(folder, text.substr(prefix.size()));
    const bool may_be_path = std::ranges::any_of(parts, is_path);
    if (!may_be_path || is_one_of(text, parts)) return std::string{text};
    return below(folder, text);
}

}  // namespace weir::cli::config

// Quantities are what they say or an error, never a number that overflowed; rules for fields are
// written as they are read, and never end a line of an answer.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/trimmed.h"
#include "cli/option/quantities.h"
#include "fuzz/fuzz_input.h"
#include "fuzz/plain/number.h"
#include "fuzz/plain/path.h"
#include "http/answer/cors.h"
#include "site/fields/field_rules.h"
#include "site/types/media_types.h"
#include "weir/http/field_name.h"

namespace weir::tests {
namespace {

using plain::Number;
struct Unit {
    std::string_view name;
    Number factor;
};

/// Digits and a unit. Nothing if it is not that, or past `max`.
std::optional<Number> plain_quantity(std::string_view text, std::initializer_list<Unit> units,
                                     Number max) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return std::nullopt;
    Number value = 0;
    for (const char digit : text.substr(0, digits))
        value = std::min(value * 10 + (digit - '0'), Number{1} << 64u);
    for (const Unit& unit : units)
        if (unit.name == text.substr(digits) && value * unit.factor <= max)
            return value * unit.factor;
    return std::nullopt;
}

template <typename Value>
void compare(const cli::Parsed<Value>& parsed, std::optional<Number> plain, std::string_view text) {
    require(parsed.has_value() == plain.has_value());
    if (!parsed) return require(parsed.error().contains(text));  // the message names it
    if constexpr (std::is_same_v<Value, std::uint64_t>)
        require(Number{*parsed} == *plain);
    else
        require(Number{parsed->count()} == *plain);
}

void check_quantities(std::string_view text, std::uint64_t max) {
    constexpr Number largest = std::numeric_limits<std::int64_t>::max();
    constexpr Number ms = 1000, second = 1'000'000, hour = 3600 * second;
    compare(cli::parse_count(text, max),
            plain_quantity(text, {{"", 1}}, std::min<Number>(max, largest)), text);
    compare(
        cli::parse_size(text),
        plain_quantity(text, {{"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}}, largest),
        text);
    compare(
        cli::parse_duration(text),
        plain_quantity(text, {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}},
                       Number{365} * 24 * 3'600'000),
        text);
    const auto fine = [&](Number most) {
        if (text == "0") return std::optional{Number{0}};
        return plain_quantity(
            text, {{"us", 1}, {"ms", ms}, {"s", second}, {"m", 60 * second}, {"h", hour}}, most);
    };
    compare(cli::parse_delay(text), fine(hour), text);
    compare(cli::parse_busy_poll(text), fine(10 * ms), text);
}

/// The value that is sent for a rule: the members of Vary join those of other rules, each one once.
std::optional<std::string> sent_value(const site::FieldRule& rule) {
    if (!http::equals_ignoring_case(rule.name, "Vary")) return rule.value;
    if (rule.value.contains('"')) return std::nullopt;  // no field has such a name
    std::vector<std::string> members;
    std::string list;
    for (const std::string& piece : plain::split(rule.value, ',')) {
        const std::string member{trimmed(piece)};
        const auto is_same = [&](const std::string& one) {
            return http::equals_ignoring_case(one, member);
        };
        if (member.empty() || std::ranges::any_of(members, is_same)) continue;
        members.push_back(member);
        list += (list.empty() ? "" : ", ") + member;
    }
    return list;
}

/// A rule's field, as a site would send it, is one line.
void check_line(const site::FieldRule& rule) {
    const auto rules = site::FieldRules::from({rule});
    require(rules.has_value());
    http::Response response{http::Status::not_found};
    const http::Response complete = rules->completed(std::move(response), "/");
    const std::string_view lines = complete.own_fields();
    require(std::ranges::count(lines, '\n') <= 1 && std::ranges::count(lines, '\r') <= 1);
    const auto value = sent_value(rule);
    require(lines.empty() || !value || lines == rule.name + ": " + *value + "\r\n");
}

std::string files_of(const site::FieldRule& rule) {
    return rule.media_type.empty() ? rule.glob : rule.media_type;
}

bool same(const site::FieldRule& left, const site::FieldRule& right) {
    return left.glob == right.glob && left.media_type == right.media_type &&
           left.name == right.name && left.value == right.value;
}

void check_rules(std::string_view text) {
    if (const auto rule = cli::parse_header(text)) {
        require(!rule->name.empty() && trimmed(rule->value) == rule->value);
        check_line(*rule);
        const auto again =
            cli::parse_header(files_of(*rule) + ": " + rule->name + ": " + rule->value);
        require(again && same(*again, *rule));
    }
    if (const auto rule = cli::parse_cache_control(text)) {
        require(rule->delivered_only && rule->name == "Cache-Control");
        const auto again = cli::parse_cache_control(files_of(*rule) + ":" + rule->value);
        require(again && same(*again, *rule));
    }
    if (const auto rule = cli::parse_media_type(text)) {
        require(site::MediaTypes::from({*rule}).has_value());
        const auto again = cli::parse_media_type(rule->glob + ": " + rule->media_type);
        require(again && again->media_type == rule->media_type);
        http::Response{}.add("Content-Type", rule->media_type);  // throws if it can't be sent
    }
}

void check_origin(std::string_view text) {
    const auto origin = cli::parse_origin(text);
    if (!origin) return;
    require(cli::parse_origin(*origin) == *origin &&
            http::Cors::from({.origins = {*origin}}).has_value());
    require(*origin == "*" || origin->contains("://"));
    require(std::ranges::none_of(*origin, [](char c) { return c >= 'A' && c <= 'Z'; }));
    http::Response{}.add("Access-Control-Allow-Origin", *origin);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    std::string_view text = input.text;
    const std::string_view line = take_line(text);
    check_quantities(line, input.cut % 2 == 0 ? ~std::uint64_t{0} : 65535);
    if (const auto flag = cli::parse_flag(line))
        require(*flag == (line == "1" || line == "true" || line == "yes" || line == "on"));
    if (const auto name = cli::parse_file_name(line))
        require(*name == line && !line.empty() && !line.contains('/'));
    check_rules(line);
    check_rules(input.text);
    check_origin(line);
}

}  // namespace weir::tests

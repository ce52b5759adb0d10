#include <algorithm>
#include <utility>

#include "cli/config/document.h"
#include "cli/config/nesting.h"
#include "cli/config/toml.h"

namespace weir::cli::config {
namespace {

Place place_of(const toml::source_region& region) {
    return {.line = std::max<std::uint32_t>(region.begin.line, 1),
            .column = std::max<std::uint32_t>(region.begin.column, 1)};
}

std::string_view name_of(toml::node_type type) {
    switch (type) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "a list";
        case toml::node_type::floating_point: return "a number with a fraction";
        case toml::node_type::date: return "a date";
        case toml::node_type::time: return "a time of day";
        default: return "a date and time";
    }
}

Value value_of(const toml::node& node) {
    using enum Value::Kind;
    const Place place = place_of(node.source());
    if (const auto* const one = node.as_string()) return {text, one->get(), place};
    if (const auto* const one = node.as_integer())
        return {number, std::to_string(one->get()), place};
    if (const auto* const one = node.as_boolean())
        return {flag, one->get() ? "true" : "false", place};
    return {other, std::string{name_of(node.type())}, place};
}

Entry entry_of(const toml::key& key, const toml::node& node) {
    Entry entry{.key = std::string{key.str()},
                .place = place_of(key.source()),
                .values = {},
                .is_list = node.is_array()};
    if (const toml::array* const list = node.as_array()) {
        for (const toml::node& one : *list) entry.values.push_back(value_of(one));
    } else {
        entry.values.push_back(value_of(node));
    }
    return entry;
}

/// Restores the order of the file: toml++ sorts a table by its keys.
template <typename Placed>
void sort_by_place(std::vector<Placed>& all) {
    std::ranges::sort(all, {}, &Placed::place);
}

Table entries_of(const toml::table& table) {
    Table entries;
    for (const auto& [key, node] : table) entries.push_back(entry_of(key, node));
    sort_by_place(entries);
    return entries;
}

void take_sites(Document& document, const toml::key& key, const toml::node& node) {
    const toml::array* const list = node.as_array();
    const auto refuse = [&](Place place, std::string text) {
        document.problems.push_back({place, std::move(text)});
    };
    if (!list || (!list->empty() && !list->is_homogeneous(toml::node_type::table)))
        return refuse(place_of(key.source()), "site: a site is a table of its own: [[site]]");
    if (list->size() > sites_max)
        return refuse(place_of(key.source()),
                      "site: more than " + std::to_string(sites_max) + " sites");
    for (const toml::node& one : *list)
        document.sites.push_back({place_of(one.source()), entries_of(*one.as_table())});
}

/// Shortens a description of toml++, which begins with "Error while parsing key: ", and sometimes
/// ends with a full stop.
std::string sentence(std::string_view description) {
    constexpr std::string_view prefix = "Error while parsing ";
    if (description.starts_with(prefix)) description.remove_prefix(prefix.size());
    while (description.ends_with('.')) description.remove_suffix(1);
    return "not TOML: " + std::string{description};
}

}  // namespace

std::string_view unavailable() noexcept { return {}; }

Document parse(std::string_view text, std::string file) {
    Document document;
    document.file = std::move(file);
    if (const auto place = too_deep(text)) {
        document.problems.push_back({*place, "more dots outside quotes than " +
                                                 std::to_string(dots_max) + "; no key has one"});
        return document;
    }
    const toml::parse_result parsed = toml::parse(text, document.file);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        document.problems.push_back({place_of(error.source()), sentence(error.description())});
        return document;
    }
    for (const auto& [key, node] : parsed.table()) {
        if (key.str() == "site") {
            take_sites(document, key, node);
        } else {
            document.entries.push_back(entry_of(key, node));
        }
    }
    sort_by_place(document.entries);
    sort_by_place(document.sites);
    return document;
}

}  // namespace weir::cli::config

#include "cli/config/texts.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/config/shape.h"
#include "cli/config/site_head.h"
#include "cli/option/near_miss.h"

namespace weir::cli::config {
namespace {

std::vector<std::string> keys_of(std::span<const Option> options, bool is_site) {
    std::vector<std::string> keys;
    for (const Option& option : options)
        if (is_site ? option.per_site : option.in_file) keys.push_back(option.long_name);
    if (is_site) keys.insert(keys.end(), site_keys.begin(), site_keys.end());
    return keys;
}

/// Returns the fault of a key that a table may not have.
std::string refusal(const std::string& key, std::span<const std::string> known,
                    std::span<const Option> options, bool is_site) {
    const auto option = std::ranges::find(options, key, &Option::long_name);
    if (option != options.end() && is_site && option->in_file)
        return key + ": it is the same for all sites, and stands above the first [[site]]";
    if (option != options.end()) return key + ": it is for the command line only";
    if (std::ranges::find(site_keys, key) != site_keys.end())
        return key + ": it belongs to a [[site]]";
    const auto meant = did_you_mean(key, known);
    return "unknown key '" + key + "'" +
           (meant.empty() ? "; the keys are the options of weir serve: see weir help serve"
                          : meant);
}

}  // namespace

Texts texts_of(const Option& option, const Document& document, const Entry& entry,
               std::vector<std::string>& problems) {
    const std::string name = ": " + entry.key;
    if (entry.is_list && !option.repeats) {
        problems.push_back(document.at(entry.place) + name + ": it takes one value, not a list");
        return {};
    }
    const std::string folder = std::filesystem::path{document.file}.parent_path().string();
    Texts found;
    for (const Value& value : entry.values) {
        const std::string place = document.at(value.place) + name;
        auto text = text_of(option, value, folder);
        if (!text) {
            problems.push_back(place + ": " + text.error());
            continue;
        }
        found.texts.push_back(std::move(*text));
        found.names.push_back(place);
    }
    return found;
}

void check_keys(const Document& document, const Table& table, bool is_site,
                std::span<const Option> options, std::vector<std::string>& problems) {
    const auto known = keys_of(options, is_site);
    for (const Entry& entry : table)
        if (std::ranges::find(known, entry.key) == known.end())
            problems.push_back(document.at(entry.place) + ": " +
                               refusal(entry.key, known, options, is_site));
}

}  // namespace weir::cli::config

#include "cli/config/differences.h"

#include <algorithm>

#include "cli/config/document.h"

namespace weir::cli::config {
namespace {

constexpr std::size_t shown_bytes_max = 60;  // longer values are not shown

const Entry* find(const Table& table, std::string_view key) {
    const auto found =
        std::ranges::find_if(table, [&](const Entry& entry) { return entry.key == key; });
    return found == table.end() ? nullptr : &*found;
}

std::string joined(const Entry& entry) {
    std::string text;
    for (const Value& value : entry.values) text += (text.empty() ? "" : ", ") + value.text;
    return text.empty() ? "none" : text;
}

/// What holds where a file says nothing.
std::string default_of(std::string_view key, std::span<const Option> options) {
    const auto option =
        std::ranges::find_if(options, [&](const Option& one) { return one.long_name == key; });
    if (option == options.end()) return "none";
    if (!option->takes_value()) return "false";
    const auto stated = stated_default(*option);
    return stated.empty() ? "default" : std::string{stated};
}

std::string difference(std::string_view key, const std::string& before, const std::string& after) {
    const std::string name{key};
    if (before.size() > shown_bytes_max || after.size() > shown_bytes_max) return name + " changed";
    return name + ' ' + before + " -> " + after;
}

/// A site is known by its names.
std::string name_of(const SiteTable& site) {
    const Entry* const names = find(site.entries, "name");
    return names ? "site " + joined(*names) : "the default site";
}

const SiteTable* find_site(const std::vector<SiteTable>& sites, const std::string& name) {
    const auto found =
        std::ranges::find_if(sites, [&](const SiteTable& site) { return name_of(site) == name; });
    return found == sites.end() ? nullptr : &*found;
}

class Comparison {
   public:
    explicit Comparison(std::span<const Option> options) : options_{options} {}

    void compare(const Table& before, const Table& after, const std::string& prefix) {
        for (const Entry& entry : before) {
            const Entry* const now = find(after, entry.key);
            add(prefix, entry.key, joined(entry), now ? joined(*now) : said_nothing(entry.key));
        }
        for (const Entry& entry : after)
            if (!find(before, entry.key))
                add(prefix, entry.key, said_nothing(entry.key), joined(entry));
    }

    void compare_sites(const std::vector<SiteTable>& before, const std::vector<SiteTable>& after) {
        for (const SiteTable& site : before) {
            const std::string name = name_of(site);
            if (const SiteTable* const now = find_site(after, name)) {
                compare(site.entries, now->entries, name + ": ");
            } else {
                found_.push_back(name + " removed");
            }
        }
        for (const SiteTable& site : after)
            if (!find_site(before, name_of(site))) found_.push_back(name_of(site) + " added");
    }

    std::vector<std::string> take() { return std::move(found_); }

   private:
    std::string said_nothing(std::string_view key) const { return default_of(key, options_); }

    void add(const std::string& prefix, std::string_view key, const std::string& before,
             const std::string& after) {
        if (before != after) found_.push_back(prefix + difference(key, before, after));
    }

    std::span<const Option> options_;
    std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> differences(std::string_view before, std::string_view after,
                                     std::span<const Option> options) {
    const Document old = parse(before, "before");
    const Document now = parse(after, "after");
    Comparison comparison{options};
    comparison.compare(old.entries, now.entries, "");
    comparison.compare_sites(old.sites, now.sites);
    return comparison.take();
}

}  // namespace weir::cli::config

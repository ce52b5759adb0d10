#include "cli/reload/changes.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cli/config/document.h"
#include "cli/option/option.h"
#include "cli/serve/serve_options.h"

namespace weir::cli {
namespace {

using config::Entry;
using config::SiteTable;
using config::Table;

constexpr std::size_t shown_bytes_max = 60;  // of a value; longer values are not shown
constexpr std::size_t text_bytes_max = 2'000;

/// Options that are read only at the start.
constexpr std::array<std::string_view, 4> of_the_start{"control", "ready-timeout", "open", "qr"};

const Entry* find(const Table& table, std::string_view key) {
    const auto found = std::ranges::find(table, key, &Entry::key);
    return found == table.end() ? nullptr : &*found;
}

std::string joined(const Entry& entry) {
    std::string text;
    for (const config::Value& value : entry.values)
        text.append(text.empty() ? "" : ", ").append(value.text);
    return text.empty() ? "none" : text;
}

bool is_secret(std::string_view key, const std::vector<Option>& options) {
    const auto option = std::ranges::find(options, key, &Option::long_name);
    return option != options.end() && has_secrets(*option);
}

/// The value of an option that is not given.
std::string default_of(std::string_view key, const std::vector<Option>& options) {
    const auto option = std::ranges::find(options, key, &Option::long_name);
    if (option == options.end()) return "none";
    if (!option->takes_value()) return "false";
    const auto stated = stated_default(*option);
    return stated.empty() ? "none" : std::string{stated};
}

bool is_short(const std::string& text) { return text.size() <= shown_bytes_max; }

/// Names a site by its hosts.
std::string name_of(const SiteTable& site) {
    const Entry* const hosts = find(site.entries, "host");
    return hosts ? "site " + joined(*hosts) : "the default site";
}

const SiteTable* find(const std::vector<SiteTable>& sites, const std::string& name) {
    const auto found =
        std::ranges::find_if(sites, [&](const SiteTable& site) { return name_of(site) == name; });
    return found == sites.end() ? nullptr : &*found;
}

/// Cuts the text, so that it fits into a message to the supervisor.
std::string enumerated(const std::vector<std::string>& items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (text.size() + items[i].size() > text_bytes_max)
            return text + " and " + std::to_string(items.size() - i) + " more";
        text.append(text.empty() ? "" : ", ").append(items[i]);
    }
    return text;
}

class Comparison {
   public:
    void compare(const Table& before, const Table& after, const std::string& prefix) {
        for (const Entry& entry : before) {
            const Entry* const now = find(after, entry.key);
            add(prefix, entry.key, joined(entry),
                now ? joined(*now) : default_of(entry.key, options_));
        }
        for (const Entry& entry : after)
            if (!find(before, entry.key))
                add(prefix, entry.key, default_of(entry.key, options_), joined(entry));
    }

    void compare(const std::vector<SiteTable>& before, const std::vector<SiteTable>& after) {
        for (const SiteTable& site : before) {
            const std::string name = name_of(site);
            if (const SiteTable* const now = find(after, name)) {
                compare(site.entries, now->entries, name + ": ");
            } else {
                changed_.push_back(name + " removed");
            }
        }
        for (const SiteTable& site : after)
            if (!find(before, name_of(site))) changed_.push_back(name_of(site) + " added");
    }

    std::string in_words() const {
        if (waiting_.empty()) return changed_.empty() ? "nothing changed" : enumerated(changed_);
        return (changed_.empty() ? "" : enumerated(changed_) + "; ") + enumerated(waiting_) +
               (waiting_.size() == 1 ? " needs a restart" : " need a restart");
    }

   private:
    void add(const std::string& prefix, std::string_view key, const std::string& before,
             const std::string& after) {
        if (before == after) return;
        const bool waits = std::ranges::find(of_the_start, key) != of_the_start.end();
        const bool is_shown = is_short(before) && is_short(after) && !is_secret(key, options_);
        const std::string difference = is_shown ? ' ' + before + " -> " + after : " changed";
        (waits ? waiting_ : changed_).push_back(prefix + std::string{key} + difference);
    }

    const std::vector<Option> options_ = serve_page().options;
    std::vector<std::string> changed_;
    std::vector<std::string> waiting_;  // for a restart
};

}  // namespace

std::string changes(std::string_view before, std::string_view after) {
    const auto old = config::parse(before, "before");
    const auto now = config::parse(after, "after");
    Comparison comparison;
    comparison.compare(old.entries, now.entries, "");
    comparison.compare(old.sites, now.sites);
    return comparison.in_words();
}

}  // namespace weir::cli

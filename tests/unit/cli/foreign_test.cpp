#include "cli/option/foreign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "cli/command.h"
#include "cli/serve/serve_options.h"

namespace weir::cli {
namespace {

std::set<std::string> own_options() {
    std::set<std::string> names;
    for (const Option& option : serve_page().options) {
        if (option.is_positional) continue;
        names.insert("--" + option.long_name);
        if (!option.short_name.empty()) names.insert("-" + option.short_name);
    }
    return names;
}

std::vector<std::string> names_in(std::span<const Foreign> table) {
    std::vector<std::string> all;
    for (const Foreign& one : table)
        for (const auto name : one.names | std::views::split(' '))
            all.emplace_back(std::string_view{name});
    return all;
}

/// The options of an advice: "--tls-cert" in "or --tls-cert FILE".
std::vector<std::string> options_in(std::string_view advice) {
    std::vector<std::string> all;
    for (auto at = advice.find("--"); at != advice.npos; at = advice.find("--", at + 2))
        all.emplace_back(advice.substr(at, advice.find_first_of(" ,;)='", at) - at));
    return all;
}

TEST(ForeignOptions, AreNoneOfOurOwn) {
    const auto own = own_options();
    for (const std::string& name : names_in(foreign_options())) {
        EXPECT_FALSE(own.contains(name)) << name;
        EXPECT_TRUE(name.starts_with('-')) << name;
    }
    for (const std::string& name : names_in(foreign_commands()))
        EXPECT_FALSE(find_command(name)) << name;
}

TEST(ForeignOptions, AreNamedOnce) {
    for (const auto table : {foreign_options(), foreign_commands()}) {
        auto names = names_in(table);
        std::ranges::sort(names);
        const auto twice = std::ranges::adjacent_find(names);
        EXPECT_TRUE(twice == names.end()) << *twice;
    }
}

TEST(ForeignOptions, LeadToOptionsThatAreThere) {
    const auto own = own_options();
    for (const Foreign& one : foreign_options())
        for (const std::string& option : options_in(one.advice))
            EXPECT_TRUE(own.contains(option)) << option << " in: " << one.advice;
}

TEST(ForeignOptions, AreWholeWords) {
    EXPECT_EQ(advice_for("--nonsense", foreign_options()), "");
    EXPECT_EQ(advice_for("--gzi", foreign_options()), "");
    EXPECT_EQ(advice_for("", foreign_options()), "");
    EXPECT_EQ(advice_for("--https", foreign_options()),
              "; for HTTPS: --tls, or --tls-cert FILE --tls-key FILE");
    EXPECT_EQ(advice_for("quit", foreign_commands()),
              "; weir is stopped by Ctrl-C, by SIGTERM, or by weir stop");
}

}  // namespace
}  // namespace weir::cli

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "cli/serve/serve_options.h"
#include "variable.h"

namespace weir::cli {
namespace {

using Lines = std::vector<std::string>;

std::expected<ServeOptions, NoOptions> read(std::string_view text, Lines arguments = {}) {
    const auto document = config::parse(text, "conf/f");
    return serve_options_from({.arguments = std::move(arguments), .document = &document});
}

ServeOptions parsed(std::string_view text, Lines arguments = {}) {
    auto options = read(text, std::move(arguments));
    EXPECT_TRUE(options.has_value()) << options.error().text;
    return options.value_or(ServeOptions{});
}

Lines problems(std::string_view text, Lines arguments = {}) {
    const auto options = read(text, std::move(arguments));
    return options ? Lines{} : options.error().problems;
}

TEST(ConfigOptions, GiveWayToVariablesAndToTheCommandLine) {
    const char* const text = "port = 1\nbind = ['::1', '127.0.0.1']\nspa = true\n";
    EXPECT_EQ(parsed(text).server.port, 1);
    EXPECT_EQ(parsed(text).server.addresses, (Lines{"::1", "127.0.0.1"}));
    EXPECT_EQ(parsed(text, {"-b", "127.0.0.2"}).server.addresses, Lines{"127.0.0.2"});
    EXPECT_FALSE(parsed(text, {"--spa=0"}).site.spa_fallback);
    const Variable variable{"WEIR_PORT", "2"};
    EXPECT_EQ(parsed(text).server.port, 2);
    EXPECT_EQ(parsed(text, {"-p", "3"}).server.port, 3);
}

TEST(ConfigOptions, OfAlternativesGiveWayTogether) {
    EXPECT_TRUE(parsed("no-listing = true\n", {"--listing"}).site.listing);
    EXPECT_FALSE(parsed("no-listing = true\n", {"--listing"}).no_listing);
    EXPECT_EQ(parsed("root = '/a'\n", {"/b"}).site.root, "/b");
}

TEST(ConfigOptions, HavePathsRelativeToTheFile) {
    EXPECT_EQ(parsed("root = 'a'\n").site.root, "conf/a");
    EXPECT_EQ(parsed("root = '../a'\n").site.root, "a");
    EXPECT_EQ(parsed("root = '/a'\n").site.root, "/a");
    EXPECT_EQ(parsed("access-log = '-'\n").server.access_log.path, "-");
    EXPECT_EQ(parsed("access-log = 'log'\n").server.access_log.path, "conf/log");
    EXPECT_EQ(parsed("bind = 'unix:s'\n").server.addresses, Lines{"unix:conf/s"});
    EXPECT_EQ(parsed("", {"-r", "a"}).site.root, "a");
}

TEST(ConfigOptions, KeepTheOrderOfOptionsWhereverTheyComeFrom) {
    const auto fields =
        parsed("cache-control = '*: no-cache'\n", {"--header", "*: X-A: b"}).site.fields;
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[0].name, "Cache-Control");
    EXPECT_EQ(fields[1].name, "X-A");
}

TEST(ConfigOptions, ThatAreWrongAreAllNamedWithTheirPlaces) {
    const std::vector<std::pair<std::string, Lines>> cases{
        {"prt = 1\n", {"conf/f:1:1: unknown key 'prt'; did you mean port?"}},
        {"SPA = true\n", {"conf/f:1:1: unknown key 'SPA'; did you mean spa?"}},
        {"port = 70000\n", {"conf/f:1:8: port: '70000' is not a number from 0 to 65535"}},
        {"port = -1\n", {"conf/f:1:8: port: '-1' is not a number from 0 to 65535"}},
        {"port = '1'\n",
         {"conf/f:1:8: port: '1' is a text, not a number, which is written without quotes"}},
        {"root = 1\n", {"conf/f:1:8: root: 1 is not a text in quotes"}},
        {"root = ''\n", {"conf/f:1:8: root: the text is empty"}},
        {"root = \"a\\u0000b\"\n", {"conf/f:1:8: root: a text has no NUL"}},
        {"port = [1]\n", {"conf/f:1:1: port: it takes one value, not a list"}},
        {"spa = 1\n", {"conf/f:1:7: spa: 1 is not true or false"}},
        {"symlinks = 1\n", {"conf/f:1:12: symlinks: 1 is not one of inside and none"}},
        {"config = 'a'\n", {"conf/f:1:1: config: it is for the command line only"}},
        {"help = true\n", {"conf/f:1:1: help: it is for the command line only"}},
        {"PATH = '/'\n", {"conf/f:1:1: PATH: it is for the command line only"}},
        {"spa = 2\nbind = ['::1', 'a b']\nqueue = true\n",
         {"conf/f:1:7: spa: 2 is not true or false",
          "conf/f:2:16: bind: 'a b' has a comma or a space; give each address by itself",
          "conf/f:3:9: queue: true is not a number"}},
        {"engine = 'blocking'\nworkers = 2\n", {"conf/f:2:1: workers: the engine blocking has no"}},
        {"[[site]]\nport = 1\n",
         {"conf/f:2:1: port: it is the same for all sites, and stands above the first [[site]]"}},
        {"port = 1\nbind = ['::1', '[::1]:1']\n", {"conf/f:2:1: bind: "}},
        {"tls-cert = '/dev/null'\ntls-key = ['a', 'b']\n", {"conf/f:2:1: tls-key: there are more"}},
        {"[[site]]\nroot = '/dev/null'\nspa = 1\n", {"conf/f:3:7: spa: 1 is not true or false"}},
        {"[[site]]\nhost = 'a'\n", {"conf/f:1:1: the site has no root, such as"}},
    };
    for (const auto& [text, expected] : cases) {
        const Lines found = problems(text);
        ASSERT_EQ(found.size(), expected.size()) << text << testing::PrintToString(found);
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_TRUE(found[i].starts_with(expected[i])) << found[i] << " is not " << expected[i];
    }
}

TEST(ConfigOptions, OfSitesOverrideThoseAboveThem) {
    const auto options = parsed(
        "root = 'r'\nspa = true\nheader = '*: X-A: 1'\n"
        "[[site]]\nhost = ['A.example', '*.b']\nspa = false\nheader = []\n"
        "[[site]]\nroot = 's'\ncache-size = '1M'\n");
    ASSERT_EQ(options.sites.size(), 2u);
    const NamedSite& first = options.sites[0];
    EXPECT_EQ(first.head.hosts, (Lines{"A.example", "*.b"}));
    EXPECT_FALSE(first.head.is_default);
    EXPECT_EQ(first.options.site.root, "conf/r");
    EXPECT_FALSE(first.options.site.spa_fallback);
    EXPECT_TRUE(first.options.site.fields.empty());
    EXPECT_FALSE(first.has_own_cache);
    const NamedSite& second = options.sites[1];
    EXPECT_TRUE(second.head.is_default);
    EXPECT_EQ(second.options.site.root, "conf/s");
    EXPECT_TRUE(second.options.site.spa_fallback);
    EXPECT_EQ(second.options.site.fields.size(), 1u);
    EXPECT_TRUE(second.has_own_cache);
}

TEST(ConfigOptions, OfTheCommandLineReachAllSitesButForTheirRoots) {
    const char* const sites = "[[site]]\nroot = 'a'\nspa = false\n";
    EXPECT_TRUE(parsed(sites, {"--spa"}).sites.at(0).options.site.spa_fallback);
    EXPECT_EQ(problems(sites, {"/b"}), Lines{"PATH: the sites of conf/f have roots of their own"});
    EXPECT_EQ(problems(sites, {"-r", "/b"}),
              Lines{"--root: the sites of conf/f have roots of their own"});
}

TEST(ConfigOptions, OfSitesHaveHosts) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"host = 'a:80'", "conf/f:2:8: host: 'a:80' is not a host without a port"},
        {"host = '::1'", "conf/f:2:8: host: '::1' needs brackets, as an IPv6 address: \"[::1]\""},
        {"host = '*'", "conf/f:2:8: host: '*' is not a host"},
        {"host = 'a..b'", "conf/f:2:8: host: 'a..b' is not a host"},
        {"host = 'a.*.b'", "conf/f:2:8: host: 'a.*.b' is not a host"},
        {"host = '[::x]'", "conf/f:2:8: host: '[::x]' is not a host"},
        {"host = []", "conf/f:2:1: host: the list is empty"},
        {"host = ['a', 'A']", "conf/f:2:14: host: 'A' stands in line 2, too"},
        {"host = 1", "conf/f:2:8: host: '1' is not a host"},
        {"default = 1", "conf/f:2:1: default: the value is not true or false"},
        {"default = true\n[[site]]\nroot = 'b'", "conf/f:3:1: a second site without a host"},
    };
    for (const auto& [text, expected] : cases) {
        const Lines found = problems("[[site]]\n" + text + "\n[[site]]\nhost = 'z'\nroot = 'c'\n");
        EXPECT_TRUE(std::ranges::any_of(found, [&](const std::string& line) {
            return line.starts_with(expected);
        })) << testing::PrintToString(found);
    }
    EXPECT_EQ(parsed("[[site]]\nhost = ['[::1]', '10.0.0.1']\nroot = 'c'\n").sites.size(), 1u);
}

}  // namespace
}  // namespace weir::cli

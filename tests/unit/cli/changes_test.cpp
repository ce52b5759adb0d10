#include "cli/reload/changes.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::cli {
namespace {

TEST(Changes, AreNamedWithBothValues) {
    EXPECT_EQ(changes("port = 8000\n", "port = 8080\n"), "port 8000 -> 8080");
    EXPECT_EQ(changes("", "spa = true\nengine = \"epoll-edge\"\n"),
              "spa false -> true, engine auto -> epoll-edge");
    EXPECT_EQ(changes("keep-alive-timeout = \"5s\"\n", ""), "keep-alive-timeout 5s -> 75s");
    EXPECT_EQ(changes("hide = [\"*.bak\"]\n", "hide = [\"*.bak\", \"*.tmp\"]\n"),
              "hide *.bak -> *.bak, *.tmp");
}

TEST(Changes, OfNothingAreNone) {
    EXPECT_EQ(changes("port = 8000\n", "port = 8000\n"), "nothing changed");
    EXPECT_EQ(changes("", ""), "nothing changed");
}

TEST(Changes, KeepLongAndSecretValuesToThemselves) {
    const std::string hash = "$2b$05$short";
    EXPECT_EQ(changes("", "auth-user = [\"ada:" + hash + "\"]\n"), "auth-user changed");
    EXPECT_EQ(changes("", "header = [\"/**: X: " + std::string(100, 'x') + "\"]\n"),
              "header changed");
}

TEST(Changes, OfSitesAreNamedByTheirHosts) {
    const std::string one = "[[site]]\nhost = [\"one.example\"]\nroot = \"/one\"\n";
    const std::string two = "[[site]]\nhost = [\"two.example\"]\nroot = \"/two\"\n";
    const std::string others = "[[site]]\ndefault = true\nroot = \"/others\"\n";
    EXPECT_EQ(changes(one, one + two), "site two.example added");
    EXPECT_EQ(changes(one + others, two),
              "site one.example removed, the default site removed, site two.example added");
    EXPECT_EQ(changes(one, one + "spa = true\n"), "site one.example: spa false -> true");
}

TEST(Changes, OfWhatOnlyTheStartReadsNeedARestart) {
    EXPECT_EQ(changes("", "control = \"unix:/a\"\n"), "control none -> unix:/a needs a restart");
    EXPECT_EQ(changes("ready-timeout = \"1s\"\nopen = true\n", "port = 1\n"),
              "port 8000 -> 1; ready-timeout 1s -> 30s, open true -> false need a restart");
}

TEST(Changes, HaveALimit) {
    std::string sites;
    for (int i = 0; i < 50; ++i)
        sites += "[[site]]\nhost = [\"" + std::to_string(i) + '.' + std::string(60, 'a') +
                 "\"]\nroot = \"/\"\n";
    const auto text = changes("", sites);
    EXPECT_LT(text.size(), 2'100u);
    EXPECT_TRUE(text.ends_with(" more")) << text.substr(text.size() - 30);
}

}  // namespace
}  // namespace weir::cli

#include "cli/config/differences.h"

#include <gtest/gtest.h>

#include "cli/command.h"

namespace weir::cli::config {
namespace {

using Lines = std::vector<std::string>;

Lines between(std::string_view before, std::string_view after) {
    return differences(before, after, serve_page().options);
}

TEST(ConfigDifferences, AreSaidInWords) {
    const std::string once = "header = ['*: X-A: 1']\n";
    const std::string again = "header = ['*: X-A: " + std::string(60, 'x') + "']\n";
    EXPECT_EQ(between("", ""), Lines{});
    EXPECT_EQ(between("port = 8000\n", "port = 8080\n"), Lines{"port 8000 -> 8080"});
    EXPECT_EQ(between("", "port = 8080\n"), Lines{"port 8000 -> 8080"});
    EXPECT_EQ(between("port = 8080\n", ""), Lines{"port 8080 -> 8000"});
    EXPECT_EQ(between("port = 8000\n", ""), Lines{});
    EXPECT_EQ(between("", "spa = true\n"), Lines{"spa false -> true"});
    EXPECT_EQ(between("", "workers = 3\n"), Lines{"workers default -> 3"});
    EXPECT_EQ(between("bind = ['a']\n", "bind = ['a', 'b']\n"), Lines{"bind a -> a, b"});
    EXPECT_EQ(between(once, again), Lines{"header changed"});
}

TEST(ConfigDifferences, NameSites) {
    const std::string one = "[[site]]\nname = ['a']\nroot = '/a'\n";
    const std::string other = "[[site]]\nname = ['a']\nroot = '/b'\n";
    const std::string any = "[[site]]\ndefault = true\nroot = '/c'\n";
    EXPECT_EQ(between(one, other), Lines{"site a: root /a -> /b"});
    EXPECT_EQ(between(one, one + any), Lines{"the default site added"});
    EXPECT_EQ(between(one + any, any), Lines{"site a removed"});
}

}  // namespace
}  // namespace weir::cli::config

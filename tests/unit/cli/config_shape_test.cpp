#include "cli/config/shape.h"

#include <gtest/gtest.h>

namespace weir::cli::config {
namespace {

std::string resolved_as(const char* value_name, std::string_view text) {
    return resolved({.long_name = "x", .value_name = value_name}, text, "/f");
}

TEST(ConfigShape, FollowsFromTheNameOfTheValue) {
    const auto words = [](const char* value_name, bool optional = false) {
        return in_words(
            shape_of({.long_name = "x", .value_name = value_name, .value_is_optional = optional}));
    };
    EXPECT_EQ(words(""), "true or false");
    EXPECT_EQ(words("N"), "a number");
    EXPECT_EQ(words("PORT"), "a number");
    EXPECT_EQ(words("SIZE"), "a number or a text in quotes");
    EXPECT_EQ(words("TIME"), "a number or a text in quotes");
    EXPECT_EQ(words("FILE|-|off"), "a text in quotes");
    EXPECT_EQ(words("inside|none"), "one of inside and none");
    EXPECT_EQ(words("ORIGIN", true), "true or false or a text in quotes");
    EXPECT_TRUE(words("ENGINE").starts_with("one of auto"));
}

TEST(ConfigShape, FindsPaths) {
    EXPECT_EQ(resolved_as("PATH", "a"), "/f/a");
    EXPECT_EQ(resolved_as("DIR", "../a/./b"), "/a/b");
    EXPECT_EQ(resolved_as("PATH", "/a/../b"), "/a/../b");
    EXPECT_EQ(resolved_as("FILE|-|off", "off"), "off");
    EXPECT_EQ(resolved_as("FILE|-|off", "a"), "/f/a");
    EXPECT_EQ(resolved_as("'FILES: FILE'", "/x/**: a b"), "/x/**: /f/a b");
    EXPECT_EQ(resolved_as("'FILES: FILE'", "a"), "/f/a");
    EXPECT_EQ(resolved_as("'FILES: FILE'", "/x: /a"), "/x: /a");
    EXPECT_EQ(resolved_as("'FILES: NAME: VALUE'", "a: b: c"), "a: b: c");
    EXPECT_EQ(resolved_as("unix:PATH|ADDRESS", "unix:a"), "unix:/f/a");
    EXPECT_EQ(resolved_as("FILE|syslog:PATH", "syslog:a"), "syslog:/f/a");
    EXPECT_EQ(resolved_as("FILE|syslog:PATH", "syslog:"), "syslog:");
    EXPECT_EQ(resolved_as("FILE|syslog:PATH", "unix:a"), "/f/unix:a");
    EXPECT_EQ(resolved_as("unix:PATH|127.0.0.1:PORT", "127.0.0.1:80"), "127.0.0.1:80");
    EXPECT_EQ(resolved_as("ADDRESS", "unix:/a"), "unix:/a");
    EXPECT_EQ(resolved_as("NAME", "a"), "a");
}

}  // namespace
}  // namespace weir::cli::config

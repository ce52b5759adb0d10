#include "http/answer/entity_tags.h"

#include <gtest/gtest.h>

namespace weir::http {
namespace {

TEST(TagComparison, Weak) {
    EXPECT_TRUE(tags_match("\"a\"", "\"a\"", Comparison::weak));
    EXPECT_TRUE(tags_match("W/\"a\"", "\"a\"", Comparison::weak));
    EXPECT_FALSE(tags_match("w/\"a\"", "\"a\"", Comparison::weak)) << "W is upper case";
    EXPECT_FALSE(tags_match("\"A\"", "\"a\"", Comparison::weak));
}

TEST(TagComparison, Strong) {
    EXPECT_TRUE(tags_match("\"a\"", "\"a\"", Comparison::strong));
    EXPECT_FALSE(tags_match("W/\"a\"", "\"a\"", Comparison::strong));
}

TEST(TagComparison, OwnMayBeWeak) {
    EXPECT_TRUE(tags_match("W/\"a\"", "W/\"a\"", Comparison::weak));
    EXPECT_TRUE(tags_match("\"a\"", "W/\"a\"", Comparison::weak));
    EXPECT_FALSE(tags_match("\"b\"", "W/\"a\"", Comparison::weak));
    EXPECT_FALSE(tags_match("W/\"a\"", "W/\"a\"", Comparison::strong));
    EXPECT_FALSE(tags_match("\"a\"", "W/\"a\"", Comparison::strong));
}

TEST(TagLine, List) {
    const auto names = [](std::string_view line) {
        return line_matches(line, "\"x\"", Comparison::weak);
    };
    EXPECT_TRUE(names("\"x\""));
    EXPECT_TRUE(names("\"a\", \"x\""));
    EXPECT_TRUE(names("\"a\",W/\"x\",\"b\""));
    EXPECT_TRUE(names(" , \"a\" ,, \"x\" "));
    EXPECT_TRUE(names("*"));
    EXPECT_TRUE(names("\"a,b\", \"x\"")) << "a comma inside a tag is no border";
    EXPECT_TRUE(names("\"a\\\", \"x\"")) << "and a backslash escapes nothing";
    EXPECT_FALSE(names("\"a,\"x\",b\""));
    EXPECT_FALSE(names("\"a\", \"b\""));
    EXPECT_FALSE(names("x"));
    EXPECT_FALSE(names("\"x"));
    EXPECT_FALSE(names("*, \"a\""));
    EXPECT_FALSE(names(""));
}

}  // namespace
}  // namespace weir::http

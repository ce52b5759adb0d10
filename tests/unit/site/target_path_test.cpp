#include "site/path/target_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "site/path/readings.h"

namespace weir::site {
namespace {

using http::Status;

/// Returns the path, or the status as text.
std::string decoded(std::string_view target) {
    // The buffer has exactly the required size, so that a sanitizer reports the first byte past it.
    std::vector<char> buffer(target.size());
    const auto path = target_path(target, buffer);
    return path ? std::string{*path} : std::to_string(http::code(path.error()));
}

TEST(TargetPath, IsDecodedOnce) {
    EXPECT_EQ(decoded("/"), "/");
    EXPECT_EQ(decoded("/a/b.css"), "/a/b.css");
    EXPECT_EQ(decoded("/a%20b/%C3%A4"), "/a b/\xC3\xA4");
    EXPECT_EQ(decoded("/%61"), "/a");
    EXPECT_EQ(decoded("/%2561"), "/%61") << "and not twice";
    EXPECT_EQ(decoded("/a+b"), "/a+b") << "a plus is a plus in a path";
}

TEST(TargetPath, DotSegmentsAreResolved) {
    EXPECT_EQ(decoded("/a/./b"), "/a/b");
    EXPECT_EQ(decoded("/a/../b"), "/b");
    EXPECT_EQ(decoded("/a/b/.."), "/a/");
    EXPECT_EQ(decoded("/a/."), "/a/");
    EXPECT_EQ(decoded("/a/.../b"), "/a/.../b") << "three dots are a name";
    EXPECT_EQ(decoded("/a/..b"), "/a/..b");
    EXPECT_EQ(decoded("/."), "/");
}

TEST(TargetPath, NothingLeadsPastTheRoot) {
    for (const auto* const target :
         {"/..", "/../", "/../etc/passwd", "/a/../../etc/passwd", "/a/../..", "/%2e%2e/etc/passwd",
          "/%2E./x", "/.%2e/x", "//../x", "/a//../../../x"})
        EXPECT_EQ(decoded(target), "404") << target;
}

TEST(TargetPath, EncodedDotsAreDots) {
    EXPECT_EQ(decoded("/a/%2e%2e/b"), "/b");
    EXPECT_EQ(decoded("/a/%2e/b"), "/a/b");
    EXPECT_EQ(decoded("/%252e%252e/b"), "/%2e%2e/b") << "decoded once only";
}

TEST(TargetPath, EmptySegmentsFallAway) {
    EXPECT_EQ(decoded("//"), "/");
    EXPECT_EQ(decoded("//host/path"), "/host/path");
    EXPECT_EQ(decoded("/a//b///c//"), "/a/b/c/");
}

TEST(TargetPath, AnEncodedSlashNamesNothing) {
    EXPECT_EQ(decoded("/a%2Fb"), "404");
    EXPECT_EQ(decoded("/a%2fb"), "404");
    EXPECT_EQ(decoded("/..%2f..%2fetc/passwd"), "404");
}

TEST(TargetPath, NulIsMalformed) {
    EXPECT_EQ(decoded("/a%00"), "400");
    EXPECT_EQ(decoded("/index.html%00.png"), "400");
    EXPECT_EQ(decoded(std::string_view{"/a\0b", 4}), "400");
}

TEST(TargetPath, MalformedEscapesAreRefused) {
    for (const auto* const target :
         {"/%", "/%4", "/%4g", "/%g4", "/a%", "/%%41", "/% 1", "/a%4/b1"})
        EXPECT_EQ(decoded(target), "400") << target;
}

TEST(TargetPath, ABackslashIsACharacterLikeAnyOther) {
    EXPECT_EQ(decoded("/..\\..\\etc"), "/..\\..\\etc");
    EXPECT_EQ(decoded("/a%5c..%5cb"), "/a\\..\\b");
}

TEST(TargetPath, WhatIsNoPathIsRefused) {
    EXPECT_EQ(decoded("*"), "400");
    EXPECT_EQ(decoded(""), "400");
    EXPECT_EQ(decoded("a/b"), "400");
}

TEST(Hidden, SegmentsThatStartWithADot) {
    EXPECT_TRUE(is_hidden("/.env"));
    EXPECT_TRUE(is_hidden("/.git/config"));
    EXPECT_TRUE(is_hidden("/a/.ssh/id"));
    EXPECT_TRUE(is_hidden("/a/.htaccess"));
    EXPECT_FALSE(is_hidden("/a.b/c.d"));
    EXPECT_FALSE(is_hidden("/"));
}

TEST(Hidden, WellKnownIsNot) {
    EXPECT_FALSE(is_hidden("/.well-known/security.txt"));
    EXPECT_FALSE(is_hidden("/.well-known"));
    EXPECT_TRUE(is_hidden("/.well-known/.git"));
    EXPECT_TRUE(is_hidden("/.well-knownx"));
    EXPECT_TRUE(is_hidden("/a/.well-known/x"));
}

TEST(Readings, OfMostPathsThereIsOne) {
    using testing::ElementsAre;
    EXPECT_THAT(readings_of("/a%20b/../c"), ElementsAre("/a%20b/../c"));
    EXPECT_THAT(readings_of(""), ElementsAre(""));
}

TEST(Readings, SlashesMayBeDecodedAndParametersDropped) {
    using testing::UnorderedElementsAre;
    EXPECT_THAT(readings_of("/a%2Fb%2fc"), UnorderedElementsAre("/a%252fb%252fc", "/a/b/c"));
    EXPECT_THAT(readings_of("/a;b/c%3Bd;e"), UnorderedElementsAre("/a;b/c%3Bd;e", "/a/c"));
    EXPECT_THAT(readings_of("/a;b%2Fc"),
                UnorderedElementsAre("/a;b%252fc", "/a", "/a;b/c", "/a/c"));
}

TEST(Encoded, WhatHasAMeaningOfItsOwnIsEscaped) {
    std::string out;
    append_encoded(out, "/a b/\"<&'>?#%\\\n\xC3\xA4.css");
    EXPECT_EQ(out, "/a%20b/%22%3C%26%27%3E%3F%23%25%5C%0A%C3%A4.css");
}

TEST(Encoded, DecodesToTheSame) {
    std::string all = "/";
    for (int c = 1; c < 256; ++c)
        if (c != '/' && c != '.') all += static_cast<char>(c);
    std::string out;
    append_encoded(out, all);
    EXPECT_EQ(decoded(out), all);
}

}  // namespace
}  // namespace weir::site

#include "site/field_rules.h"

#include <gtest/gtest.h>

#include "site/glob.h"
#include "site/media_types.h"

namespace weir::site {
namespace {

TEST(Glob, OneStarStaysInItsSegment) {
    EXPECT_TRUE(glob_matches("*.css", "a.css"));
    EXPECT_TRUE(glob_matches("*.css", ".css"));
    EXPECT_FALSE(glob_matches("*.css", "a.js"));
    EXPECT_FALSE(glob_matches("/*.css", "/a/b.css"));
    EXPECT_TRUE(glob_matches("/*/b.css", "/a/b.css"));
    EXPECT_TRUE(glob_matches("a*b*c", "aXbYbZc"));
}

TEST(Glob, TwoStarsCrossSegments) {
    EXPECT_TRUE(glob_matches("/assets/**", "/assets/a/b.css"));
    EXPECT_TRUE(glob_matches("/**/b.css", "/a/x/b.css"));
    EXPECT_FALSE(glob_matches("/assets/**", "/other/a.css"));
    EXPECT_TRUE(glob_matches("/**", "/"));
}

TEST(Glob, QuestionMarkIsOneCharacter) {
    EXPECT_TRUE(glob_matches("?.js", "a.js"));
    EXPECT_FALSE(glob_matches("?.js", "ab.js"));
    EXPECT_FALSE(glob_matches("a?b", "a/b"));
}

std::string applied(std::vector<FieldRule> rules, std::string_view path,
                    std::string_view media_type) {
    const auto checked = FieldRules::from(std::move(rules));
    if (!checked) return checked.error();
    FieldSet fields;
    fields.set("X-Content-Type-Options", "nosniff");
    checked->apply(path, media_type, fields);
    return fields.lines();
}

FieldRule rule(std::string glob, std::string media_type, std::string name, std::string value) {
    return {std::move(glob), std::move(media_type), std::move(name), std::move(value)};
}

TEST(FieldRules, ByGlobAndMediaType) {
    EXPECT_EQ(applied({rule("*.css", "", "A", "1"), rule("/x/**", "", "B", "2"),
                       rule("", "text/*", "C", "3"), rule("", "Image/PNG", "D", "4"),
                       rule("*.css", "image/png", "E", "5")},
                      "/x/y/a.css", "text/css"),
              "X-Content-Type-Options: nosniff\r\nA: 1\r\nB: 2\r\nC: 3\r\n");
}

TEST(FieldRules, ALaterOneReplacesAnEarlierOne) {
    EXPECT_EQ(applied({rule("", "", "Cache-Control", "no-cache"),
                       rule("*.css", "", "cache-control", "max-age=60")},
                      "/a.css", "text/css"),
              "X-Content-Type-Options: nosniff\r\ncache-control: max-age=60\r\n");
}

TEST(FieldRules, AnEmptyValueTakesAFieldAway) {
    EXPECT_EQ(applied({rule("", "", "x-content-type-options", "")}, "/a.css", "text/css"), "");
}

TEST(FieldRules, WhatCannotBeSentIsRefused) {
    for (const auto* const name :
         {"", "A B", "Content-Length", "Date", "ETag", "vary", "Connection"})
        EXPECT_FALSE(FieldRules::from({rule("", "", name, "x")})) << name;
    EXPECT_FALSE(FieldRules::from({rule("", "", "A", "x\r\nSet-Cookie: y")}));
    EXPECT_FALSE(FieldRules::from({rule("a/b", "", "A", "x")})) << "neither a name nor a path";
}

TEST(MediaTypes, ByExtension) {
    EXPECT_EQ(media_type_of("index.html"), "text/html");
    EXPECT_EQ(media_type_of("a/b.C.JS"), "text/javascript");
    EXPECT_EQ(media_type_of("a.mjs"), "text/javascript");
    EXPECT_EQ(media_type_of("a.css"), "text/css");
    EXPECT_EQ(media_type_of("a.svg"), "image/svg+xml");
    EXPECT_EQ(media_type_of("a.wasm"), "application/wasm");
    EXPECT_EQ(media_type_of("a.woff2"), "font/woff2");
    EXPECT_EQ(media_type_of("a.avif"), "image/avif");
    EXPECT_EQ(media_type_of("a.mp4"), "video/mp4");
    EXPECT_EQ(media_type_of("a.webmanifest"), "application/manifest+json");
    EXPECT_EQ(media_type_of("a.tar.gz"), "application/gzip");
    EXPECT_EQ(media_type_of("a.123"), "application/vnd.lotus-1-2-3") << "the table's first";
}

TEST(MediaTypes, UnknownIsOctets) {
    for (const auto* const name : {"README", "a.", "a.unheard-of", ".html", "dir.html/README", "",
                                   "a.an-extension-far-longer-than-any-that-the-table-has"})
        EXPECT_EQ(media_type_of(name), "application/octet-stream") << name;
}

TEST(MediaTypes, TextIsUtf8) {
    EXPECT_EQ(content_type_of("text/html"), "text/html; charset=utf-8");
    EXPECT_EQ(content_type_of("image/png"), "image/png");
    EXPECT_EQ(content_type_of("application/json"), "application/json");
}

}  // namespace
}  // namespace weir::site

#include "site/fields/field_rules.h"

#include <gtest/gtest.h>

#include "site/path/glob.h"

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

TEST(Glob, StarsMeetInAllWays) {
    EXPECT_TRUE(glob_matches("**a*b", "a/b/ab"));
    EXPECT_TRUE(glob_matches("***", "a/b"));
    EXPECT_TRUE(glob_matches("*/**", "a/"));
    EXPECT_FALSE(glob_matches("*/**", "a"));
    EXPECT_FALSE(glob_matches("*?", "/"));
}

// With backtracking, this would outlast the universe. A peer chooses the path of a 404.
TEST(Glob, ManyStarsTakeNoTime) {
    std::string pattern = "/";
    for (int i = 0; i < 20; ++i) pattern += "**a";
    EXPECT_FALSE(glob_matches(pattern + "b", "/" + std::string(8000, 'a')));
    EXPECT_TRUE(glob_matches(pattern, "/" + std::string(8000, 'a')));
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
         {"", "A B", "Content-Length", "Date", "ETag", "Allow", "Connection"})
        EXPECT_FALSE(FieldRules::from({rule("", "", name, "x")})) << name;
    EXPECT_FALSE(FieldRules::from({rule("", "", "A", "x\r\nSet-Cookie: y")}));
    EXPECT_FALSE(FieldRules::from({rule("", "", "vary", "")})) << "what it names is so";
    EXPECT_FALSE(FieldRules::from({rule("a/b", "", "A", "x")})) << "neither a name nor a path";
}

TEST(FieldRules, OfContentReachNoAnswerThatDeliversNothing) {
    const auto rules = FieldRules::from({rule("", "", "content-type", "image/png"),
                                         rule("", "", "Content-Disposition", "attachment"),
                                         rule("", "", "Content-Security-Policy", "x")});
    FieldSet fields;
    rules->apply("/a", "text/html", fields, AnswerKind::other);
    EXPECT_EQ(fields.lines(), "Content-Security-Policy: x\r\n");
    rules->apply("/a", "text/html", fields, AnswerKind::delivery);
    EXPECT_EQ(fields.value("Content-Type"), "image/png");
    EXPECT_EQ(fields.value("Content-Disposition"), "attachment");
}

TEST(FieldRules, ForWhatIsDeliveredReachNothingElse) {
    const auto rules =
        FieldRules::from({{.name = "Cache-Control", .value = "immutable", .delivered_only = true}});
    FieldSet fields;
    rules->apply("/a", "text/html", fields, AnswerKind::other);
    EXPECT_EQ(fields.lines(), "");
}

TEST(FieldRules, VaryIsAddedTo) {
    const auto rules = FieldRules::from({rule("", "", "vary", "Accept-Language, accept-encoding"),
                                         rule("", "", "Vary", "Cookie, Accept-Language")});
    FieldSet fields;
    fields.set("Vary", "Accept-Encoding");
    rules->apply("/a", "", fields);
    EXPECT_EQ(fields.value("Vary"), "Accept-Encoding, Accept-Language, Cookie");
}

TEST(FieldRules, CompleteAnAnswerWithoutLosingAnyOfIt) {
    const auto rules =
        FieldRules::from({rule("/a/*", "text/html", "X-A", "1"), rule("", "image/*", "X-B", "2"),
                          rule("", "", "Location-Of", "3")});
    http::Response response{http::Status::not_found};
    response.add("Content-Type", "text/html; charset=utf-8").content("page");
    response.close();
    const auto whole = rules->completed(std::move(response), "/a/b");
    EXPECT_EQ(whole.status(), http::Status::not_found);
    EXPECT_EQ(whole.own_fields(),
              "Content-Type: text/html; charset=utf-8\r\nX-A: 1\r\nLocation-Of: 3\r\n");
    EXPECT_EQ(std::get<std::string>(whole.content()), "page");
    EXPECT_TRUE(whole.closes());
}

}  // namespace
}  // namespace weir::site

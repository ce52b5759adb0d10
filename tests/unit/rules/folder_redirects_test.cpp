#include <gtest/gtest.h>

#include "rules/folder/redirects_file.h"

namespace weir::rules {
namespace {

/// Where the only line of a file leads.
std::string led(std::string_view line, std::string_view path, std::string_view query = {}) {
    const RedirectsFile file = read_redirects(line);
    Captures captures;
    if (file.moves.size() != 1 || !file.moves[0].from.matches(path, captures)) return "nowhere";
    return file.moves[0].to.expand(captures, query);
}

TEST(RedirectsFile, HasAStatusAndMayBeForced) {
    const RedirectsFile file = read_redirects(
        "\xef\xbb\xbf# first\r\n\n/a /b\r\n/c\t/d  302!  # why\n/* /index.html 200\n"
        "/en/* /404.html 404");
    ASSERT_EQ(file.moves.size(), 4u);
    EXPECT_TRUE(file.faults.empty());
    EXPECT_EQ(file.moves[0].status, http::Status::moved_permanently);
    EXPECT_FALSE(file.moves[0].is_forced);
    EXPECT_EQ(file.moves[1].status, http::Status::found);
    EXPECT_TRUE(file.moves[1].is_forced);
    EXPECT_EQ(file.moves[2].status, http::Status::ok);
    EXPECT_EQ(file.moves[3].status, http::Status::not_found);
}

TEST(RedirectsFile, LeadsWithWhatWasMatched) {
    EXPECT_EQ(led("/a/:b/* /x/:splat/:b", "/a/1/2/3"), "/x/2/3/1");
    EXPECT_EQ(led("/:y/:m /p/:y-:m.html?from=:y", "/1/2", "q"), "/p/1-2.html?from=1&q");
    EXPECT_EQ(led("/* http://example.org:8080/:splat", "/a"), "http://example.org:8080/a");
}

TEST(RedirectsFile, WhatIsMatchedStaysInItsPlace) {
    EXPECT_EQ(led("/* /:splat", "//evil.example/"), "/evil.example/");
    EXPECT_EQ(led("/to/* /:splat", "/to//evil.example"), "/evil.example");
    EXPECT_EQ(led("/* https://example.org/:splat", "/a?b#c\r\nX: y"),
              "https://example.org/a%3Fb%23c%0D%0AX:%20y");
    EXPECT_TRUE(read_redirects("/* https://:splat/").moves.empty());
    EXPECT_TRUE(read_redirects("/* //evil.example").moves.empty());
}

TEST(RedirectsFile, FaultsHaveTheirPlaces) {
    for (const auto& [line, why] : {std::pair{"/a", "FROM TO [STATUS]"},
                                    {"/a /b 301 x", "FROM TO [STATUS]"},
                                    {"/a /b 410", "is none of 200"},
                                    {"/a /b 30", "is none of 200"},
                                    {"/a /b 301x", "is none of 200"},
                                    {"/a /b !", "is none of 200"},
                                    {"/a /b 301 Country=fr", "country"},
                                    {"/a /b 301 Language=en", "language"},
                                    {"/a /b 301 Role=admin", "roles"},
                                    {"/a /b 301 Cookie=x", "cookies"},
                                    {"/a id=:id /b/:id", "by the query"},
                                    {"/a https://example.org/ 200", "--proxy does"},
                                    {"/a https://example.org/ 404!", "passes no requests on"},
                                    {"/a /b#c 200", "has a fragment"},
                                    {"/a /:b", "uses :b"},
                                    {"/a {b}", "has a brace"},
                                    {"/a b", "neither a path"},
                                    {"/a/* //b/:splat", "the target '//b/:splat'"},
                                    {"/:x/a c/:x", "the target 'c/:x'"},
                                    {"a /b", "begin with a slash"}}) {
        const RedirectsFile file = read_redirects("# first\n" + std::string{line} + "\n/x /y\n");
        ASSERT_EQ(file.faults.size(), 1u) << line;
        EXPECT_EQ(file.faults[0].line, 2u);
        EXPECT_TRUE(file.faults[0].text.contains(why)) << file.faults[0].text;
        EXPECT_EQ(file.moves.size(), 1u);
    }
}

TEST(RedirectsFile, HasLimits) {
    EXPECT_EQ(read_redirects("/a /" + std::string(rule_line_bytes_max, 'b')).faults.size(), 1u);
    std::string many;
    for (std::size_t i = 0; i <= rules_max; ++i) many += "/a /b\n";
    const RedirectsFile file = read_redirects(many);
    EXPECT_EQ(file.moves.size(), rules_max);
    ASSERT_EQ(file.faults.size(), 1u);
    EXPECT_EQ(file.faults[0].line, rules_max + 1);
}

}  // namespace
}  // namespace weir::rules

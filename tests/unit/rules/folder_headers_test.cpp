#include <gtest/gtest.h>

#include "rules/folder/headers_file.h"

namespace weir::rules {
namespace {

/// "Name: value;" for what is added, "!Name;" for what is removed.
std::string fields(std::string_view content, std::string_view path) {
    const HeaderChanges changes = changes_for(read_headers(content).rules, path);
    std::string text;
    for (const std::string& name : changes.removed) text += "!" + name + ";";
    for (const auto& line : changes.added) text += line.name + ": " + line.value + ";";
    return text;
}

TEST(HeadersFile, AllPathsThatMatchAddUp) {
    constexpr std::string_view file =
        "# comment\n/*\n  X-A: 1\n\n\tX-B:  2 \n/a/*.js\n  x-a: 3\n  Content-Type: text/plain\n"
        "/a/b.js\n  Content-Type: text/x\n";
    EXPECT_EQ(fields(file, "/"), "X-A: 1;X-B: 2;");
    EXPECT_EQ(fields(file, "/a/c.js"), "X-A: 1, 3;X-B: 2;Content-Type: text/plain;");
    EXPECT_EQ(fields(file, "/a/b.js"), "X-A: 1, 3;X-B: 2;Content-Type: text/x;");
}

TEST(HeadersFile, SomeListsKeepTheirLines) {
    EXPECT_EQ(fields("/*\n Set-Cookie: a=1\n Set-Cookie: b=2\n", "/"),
              "Set-Cookie: a=1;Set-Cookie: b=2;");
}

TEST(HeadersFile, AFieldIsTakenAway) {
    constexpr std::string_view file = "/*\n X-A: 1\n X-B: 2\n/a/*\n ! x-a\n/a/b\n X-A: 3\n";
    EXPECT_EQ(fields(file, "/"), "X-A: 1;X-B: 2;");
    EXPECT_EQ(fields(file, "/a/"), "!x-a;X-B: 2;");
    EXPECT_EQ(fields(file, "/a/b"), "!x-a;X-B: 2;X-A: 3;");
}

TEST(HeadersFile, FaultsHaveTheirPlaces) {
    for (const auto& [line, why] : {std::pair{"Content-Length: 1", "server itself"},
                                    {"transfer-encoding: chunked", "server itself"},
                                    {"Connection: close", "server itself"},
                                    {"Date: now", "server itself"},
                                    {"Upgrade: h2c", "belongs to the server"},
                                    {"WWW-Authenticate: Basic", "belongs to the server"},
                                    {"ETag: \"a\"", "derives it"},
                                    {"! Vary", "caches need it"},
                                    {"Basic-Auth: a:b", "use --auth"},
                                    {"X A: b", "token"},
                                    {"X: a\x01", "control character"},
                                    {"X", "neither 'Name: value'"},
                                    {"X:", "'! X' removes it"},
                                    {"X: :splat", "are not changed"},
                                    {"!", "token"}}) {
        const HeadersFile file = read_headers("/*\n  " + std::string{line} + "\n  X-A: 1\n");
        ASSERT_EQ(file.faults.size(), 1u) << line;
        EXPECT_EQ(file.faults[0].line, 2u);
        EXPECT_TRUE(file.faults[0].text.contains(why)) << file.faults[0].text;
        EXPECT_EQ(file.rules.size(), 1u);
    }
}

TEST(HeadersFile, LinesBelowNoPathHaveNoEffect) {
    const HeadersFile file = read_headers(" X-A: 1\n/**\n X-B: 1\n/a\n X-C: 1\n");
    ASSERT_EQ(file.faults.size(), 3u);
    EXPECT_EQ(file.faults[0].line, 1u);
    EXPECT_EQ(file.faults[1].line, 2u);
    EXPECT_EQ(file.faults[2].line, 3u);
    ASSERT_EQ(file.rules.size(), 1u);
    EXPECT_EQ(file.rules[0].lines[0].name, "X-C");
}

}  // namespace
}  // namespace weir::rules

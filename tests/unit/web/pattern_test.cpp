#include "web/routing/pattern.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace weir::web {
namespace {

bool conflict(std::string_view a, std::string_view b) {
    const Pattern first = Pattern::from(a);
    const Pattern second = Pattern::from(b);
    EXPECT_EQ(first.conflicts_with(second), second.conflicts_with(first)) << a << " and " << b;
    return first.conflicts_with(second);
}

TEST(Pattern, HasAMethodAHostAndSegments) {
    const Pattern pattern = Pattern::from("GET  API.example.org/users/{id}/files/{path...}");
    EXPECT_EQ(pattern.method(), "GET");
    EXPECT_EQ(pattern.host(), "api.example.org");
    EXPECT_EQ(pattern.segments().size(), 4u);
    EXPECT_EQ(pattern.names(), (std::vector<std::string>{"id", "path"}));
    EXPECT_EQ(Pattern::from("/").names(), std::vector<std::string>{""});
    EXPECT_EQ(Pattern::from("/a%20b").segments()[0].text, "a b");
}

TEST(Pattern, ThatIsMalformedIsRefused) {
    for (const char* const text :
         {"",         "users",     "GET",           "GET users", "G=T /", "/a//b",
          "/{$}/a",   "/{p...}/a", "/a{b}",         "/{a}b",     "/{}",   "/{1}",
          "/{a b}",   "/{a}/{a}",  "/{...}",        "/a%4",      "/a%zz", "/..",
          "/a/%2e/b", "{host}/",   "localhost:80/", "/1{/a",     "get /", "*.org/"})
        EXPECT_THROW(Pattern::from(text), std::invalid_argument) << text;
    const auto error_of = [](const char* text) -> std::string {
        try {
            Pattern::from(text);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_TRUE(error_of("get /x").ends_with("has a method in lower case: write GET"));
    EXPECT_TRUE(error_of("/{x }").ends_with("has a wildcard without a valid name"));
    std::string many;
    for (int i = 0; i < 17; ++i) many += "/{p" + std::to_string(i) + "}";
    EXPECT_THROW(Pattern::from(many), std::invalid_argument);
    for (const char* const text : {"a", "/a/{p...}", "/a/{$}"})
        EXPECT_THROW(Pattern::prefix_from(text), std::invalid_argument) << text;
}

TEST(Pattern, ConflictsWhereNeitherIsMoreSpecific) {
    EXPECT_TRUE(conflict("/a", "/a"));
    EXPECT_TRUE(conflict("GET /{x}", "GET /{y}"));
    EXPECT_TRUE(conflict("/a/{x}", "/{x}/b"));
    EXPECT_TRUE(conflict("/a/", "/{x}/b"));
    EXPECT_TRUE(conflict("/a/{x...}", "/a/"));
    EXPECT_TRUE(conflict("GET /", "/a"));  // a request GET /a
    EXPECT_TRUE(conflict("GET /{x}", "/a"));
    EXPECT_TRUE(conflict("HEAD /", "GET /a"));
    EXPECT_TRUE(conflict("/a/{x}/", "/{x}/b/{$}"));
}

TEST(Pattern, DoesNotConflictWhereOneIsMoreSpecificOrNoRequestMatchesBoth) {
    EXPECT_FALSE(conflict("/a", "/b"));
    EXPECT_FALSE(conflict("/a", "/a/"));
    EXPECT_FALSE(conflict("/a/{x}", "/a/b"));
    EXPECT_FALSE(conflict("/a/{x}", "/a/{x}/{y}"));
    EXPECT_FALSE(conflict("/a/{x...}", "/a/{x}"));
    EXPECT_FALSE(conflict("/", "/{$}"));
    EXPECT_FALSE(conflict("/a/{x}", "/a/{$}"));  // a wildcard is not empty
    EXPECT_FALSE(conflict("GET /a", "POST /a"));
    EXPECT_FALSE(conflict("GET /a", "/a"));
    EXPECT_FALSE(conflict("GET /a", "HEAD /a"));
    EXPECT_FALSE(conflict("GET /a", "/"));
    EXPECT_FALSE(conflict("POST /a/{x}", "GET /{x}/b"));
    EXPECT_FALSE(conflict("a.example/", "b.example/"));
    EXPECT_FALSE(conflict("a.example/{x}", "/a"));
}

TEST(Pattern, IsAPrefixOfOthers) {
    const Pattern api = Pattern::prefix_from("/api/{tenant}/");
    EXPECT_TRUE(api.is_prefix_of(Pattern::from("GET /api/{t}/users")));
    EXPECT_TRUE(api.is_prefix_of(Pattern::from("/api/{t}")));
    EXPECT_FALSE(api.is_prefix_of(Pattern::from("/api/x/users")));
    EXPECT_FALSE(api.is_prefix_of(Pattern::from("/apis/{t}")));
    EXPECT_TRUE(api.is_prefix_of("/api/x/users"));
    EXPECT_TRUE(api.is_prefix_of("/%61pi/x"));
    EXPECT_FALSE(api.is_prefix_of("/apix/x"));
    EXPECT_FALSE(api.is_prefix_of("/api"));
    EXPECT_FALSE(api.is_prefix_of("/api/"));
    EXPECT_TRUE(Pattern::prefix_from("").is_prefix_of("/anything"));
    EXPECT_TRUE(Pattern::prefix_from("/").is_prefix_of(Pattern::from("/")));
}

}  // namespace
}  // namespace weir::web

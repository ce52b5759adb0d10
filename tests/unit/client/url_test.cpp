#include "client/url.h"

#include <gtest/gtest.h>

#include <array>

namespace weir::web::detail {
namespace {

std::string parsed(std::string_view text) {
    const auto url = parse_url(text);
    return url ? url->text() : "none";
}

TEST(ClientUrl, HasAHostAPathAndAQuery) {
    EXPECT_EQ(parsed("http://a"), "http://a/");
    EXPECT_EQ(parsed("http://a?b"), "http://a/?b");
    EXPECT_EQ(parsed("HTTP://A:8080/B?C#d"), "http://a:8080/B?C");
    EXPECT_EQ(parsed("http://[::1]:80/"), "http://[::1]:80/");
    EXPECT_EQ(parsed("HTTPS://A:443/b"), "https://a:443/b");
    EXPECT_EQ(parsed("http://a/b c"), "http://a/b%20c");
    EXPECT_EQ(parsed("http://a/../b"), "http://a/../b");  // as it is written
}

TEST(ClientUrl, IsOfHttpAlone) {
    for (const char* const text :
         {"", "a", "/a", "http:", "http:/a", "http://", "http:///a", "httpsx://a/", "ftp://a/",
          "http://user@a/", "http://user:word@a/", "http://a:99999/", "http://a b/",
          "http://a/\r\nb", "http://a\\b/", "http://:80/", "unix:/a"})
        EXPECT_EQ(parsed(text), "none") << text;
}

/// RFC 3986 5.4, with a scheme that this library has.
TEST(ClientUrl, ResolvesReferences) {
    constexpr std::array<std::array<std::string_view, 2>, 30> cases{{
        {"g", "/b/c/g"},          {"./g", "/b/c/g"},
        {"g/", "/b/c/g/"},        {"/g", "/g"},
        {"?y", "/b/c/d;p?y"},     {"g?y", "/b/c/g?y"},
        {"#s", "/b/c/d;p?q"},     {"g#s", "/b/c/g"},
        {";x", "/b/c/;x"},        {"g;x", "/b/c/g;x"},
        {"", "/b/c/d;p?q"},       {".", "/b/c/"},
        {"./", "/b/c/"},          {"..", "/b/"},
        {"../", "/b/"},           {"../g", "/b/g"},
        {"../..", "/"},           {"../../", "/"},
        {"../../g", "/g"},        {"../../../g", "/g"},
        {"/./g", "/g"},           {"/../g", "/g"},
        {"g.", "/b/c/g."},        {"..g", "/b/c/..g"},
        {"./../g", "/b/g"},       {"./g/.", "/b/c/g/"},
        {"g/./h", "/b/c/g/h"},    {"g/../h", "/b/c/h"},
        {"g;x=1/../y", "/b/c/y"}, {"g?y/../x", "/b/c/g?y/../x"},
    }};
    const Url base = *parse_url("http://a/b/c/d;p?q");
    for (const auto& [reference, expected] : cases) {
        const auto url = resolve(base, reference);
        ASSERT_TRUE(url) << reference;
        EXPECT_EQ(url->text(), "http://a" + std::string{expected}) << reference;
    }
    EXPECT_EQ(resolve(base, "//g")->text(), "http://g/");
    EXPECT_EQ(resolve(base, "http://g/./h")->text(), "http://g/h");
    EXPECT_EQ(resolve(base, "https://g/./h")->text(), "https://g/h");
    EXPECT_EQ(resolve(*parse_url("https://a/b"), "//g/./h")->text(), "https://g/h");
    for (const char* const wrong : {"https:g", "g:h", "mailto:a@b", "//a b/", "/a\nb"})
        EXPECT_FALSE(resolve(base, wrong)) << wrong;
}

TEST(ClientUrl, OriginsHaveAHostAndAPort) {
    const Url one{.authority = "a", .target = "/"};
    EXPECT_TRUE(are_of_one_origin(one, {.authority = "a:80", .target = "/b"}));
    EXPECT_FALSE(are_of_one_origin(one, {.authority = "a:81", .target = "/"}));
    EXPECT_FALSE(are_of_one_origin(one, {.authority = "b", .target = "/"}));
    EXPECT_FALSE(are_of_one_origin(one, {.is_secure = true, .authority = "a:80", .target = "/"}));
    EXPECT_TRUE(are_of_one_origin({.is_secure = true, .authority = "a", .target = "/"},
                                  {.is_secure = true, .authority = "a:443", .target = "/"}));
}

}  // namespace
}  // namespace weir::web::detail

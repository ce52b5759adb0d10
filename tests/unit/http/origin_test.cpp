#include "http/syntax/origin.h"

#include <gmock/gmock.h>

namespace weir::http {
namespace {

using testing::HasSubstr;

TEST(Origins, AreAsBrowsersWriteThem) {
    for (const auto* const origin :
         {"https://example.org", "http://localhost:3000", "http://[::1]:8080", "http://127.0.0.1",
          "capacitor://localhost", "https://a-b.example.org:8443", "*"})
        EXPECT_EQ(origin_from(origin), origin);
    EXPECT_EQ(origin_from("HTTPS://Example.ORG"), "https://example.org");
    EXPECT_EQ(origin_from("https://example.org:443"), "https://example.org");
    EXPECT_EQ(origin_from("http://example.org:80"), "http://example.org");
    EXPECT_EQ(origin_from("http://example.org:443"), "http://example.org:443");
}

TEST(Origins, AreNothingElse) {
    for (const auto* const text :
         {"", "example.org", "https://", "://example.org", "https://example.org/",
          "https://example.org/a", "https://user@example.org", "https://*.example.org",
          "https://example.org:x", "https://example.org:70000", "https://a b", "1a://b",
          "https://\xc3\xbc.example", "https://a.example https://b.example"})
        EXPECT_FALSE(origin_from(text)) << text;
    EXPECT_THAT(origin_from("null").error(), HasSubstr("any page can get"));
}

}  // namespace
}  // namespace weir::http

#include "http/answer/location.h"

#include <gtest/gtest.h>

namespace weir::http {
namespace {

using namespace std::string_view_literals;

TEST(Location, OfAUriIsThatUri) {
    for (const char* const uri :
         {"", "/", "/a/b?c=d#e", "https://a.example:8443/%41;x=1?y=[1]&z='!$()*+,", "a/../b", "?a",
          "http://[::1]:80/~u/@-._"})
        EXPECT_EQ(location_from(uri), uri);
}

TEST(Location, HasNoByteThatABrowserWouldReadOtherwise) {
    EXPECT_EQ(location_from("/\\evil.example"), "/%5Cevil.example");
    EXPECT_EQ(location_from("\\\\evil.example"), "%5C%5Cevil.example");
    EXPECT_EQ(location_from("/\t/evil.example"), "/%09/evil.example");
    EXPECT_EQ(location_from(" //evil.example"), "%20//evil.example");
    EXPECT_EQ(location_from("\x01//evil.example"), "%01//evil.example");
    EXPECT_EQ(location_from("/a\r\nb"), "/a%0D%0Ab");
    EXPECT_EQ(location_from("/a\0b"sv), "/a%00b");
    EXPECT_EQ(location_from("/\xc3\xa4\x7f\"<>^`{|}"), "/%C3%A4%7F%22%3C%3E%5E%60%7B%7C%7D");
}

TEST(Location, NeverStartsWithTwoSlashes) {
    EXPECT_EQ(location_from("//evil.example/a//b"), "/evil.example/a//b");
    EXPECT_EQ(location_from("/////evil.example"), "/evil.example");
    EXPECT_EQ(location_from("//"), "/");
}

}  // namespace
}  // namespace weir::http

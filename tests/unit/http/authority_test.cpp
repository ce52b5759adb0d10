#include "http/syntax/authority.h"

#include <gtest/gtest.h>

namespace weir::http {
namespace {

TEST(Authority, IsANameOrAnAddressAndMaybeAPort) {
    for (const char* text : {"a",
                             "example.com",
                             "example.com:",
                             "example.com:80",
                             "EXAMPLE.com:65535",
                             "127.0.0.1",
                             "127.0.0.1:8000",
                             "999.999.999.999",
                             "a_b",
                             "xn--bcher-kva.example",
                             "a%20b",
                             "~!$&'()*+,;=",
                             "[::]",
                             "[::1]:8000",
                             "[1:2:3:4:5:6:7:8]",
                             "[2001:DB8::7]",
                             "[1::8]",
                             "[::2:3:4:5:6:7:8]",
                             "[1:2:3:4:5:6:7::]",
                             "[::ffff:192.0.2.1]",
                             "[1:2:3:4:5:6:192.0.2.1]",
                             "[::]:"})
        EXPECT_TRUE(is_authority(text, Port::optional)) << text;
}

TEST(Authority, IsNothingElse) {
    for (const char* text : {"",
                             ":80",
                             "a:b",
                             "a:80:80",
                             "a:65536",
                             "a:99999999999999999999",
                             "a:-1",
                             "a: 80",
                             "a b",
                             "user@a",
                             "a/b",
                             "a?b",
                             "a\\b",
                             "a%2",
                             "a%zz",
                             "%",
                             "\xc3\xa4",
                             "a\"b",
                             "a<b",
                             "[",
                             "[]",
                             "[::1",
                             "::1",
                             "[::1]a",
                             "[::1]80",
                             "[1:2:3:4:5:6:7]",
                             "[1:2:3:4:5:6:7:8:9]",
                             "[1::2::3]",
                             "[:::]",
                             "[:1]",
                             "[1:]",
                             "[12345::]",
                             "[1:2:3:4:5:6:7:192.0.2.1]",
                             "[::192.0.2]",
                             "[::192.0.2.256]",
                             "[::192.0.2.01]",
                             "[::192.0.2.1.]",
                             "[::1%25eth0]",
                             "[v1.a]",
                             "[::g]",
                             "[1:2:3:4::5:6:7:8]",
                             "[::192.0.2.1:1]"})
        EXPECT_FALSE(is_authority(text, Port::optional)) << text;
}

TEST(Authority, MayHaveToNameThePort) {
    EXPECT_TRUE(is_authority("example.com:443", Port::required));
    EXPECT_TRUE(is_authority("[::1]:443", Port::required));
    EXPECT_FALSE(is_authority("example.com", Port::required));
    EXPECT_FALSE(is_authority("example.com:", Port::required));
    EXPECT_FALSE(is_authority("[::1]", Port::required));
}

}  // namespace
}  // namespace weir::http

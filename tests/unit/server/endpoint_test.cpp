#include "server/endpoint.h"

#include <gtest/gtest.h>

namespace weir::server {
namespace {

std::string read(std::string_view text) {
    const auto address = parse_endpoint(text, 8000);
    return address ? address->text() : "none";
}

TEST(Endpoint, IsReadAsPeopleWriteIt) {
    EXPECT_EQ(read("127.0.0.1"), "127.0.0.1:8000");
    EXPECT_EQ(read("127.0.0.1:80"), "127.0.0.1:80");
    EXPECT_EQ(read("0.0.0.0:0"), "0.0.0.0:0");
    EXPECT_EQ(read("localhost"), "127.0.0.1:8000");
    EXPECT_EQ(read("localhost:65535"), "127.0.0.1:65535");
    EXPECT_EQ(read("::1"), "[::1]:8000");
    EXPECT_EQ(read("[::1]"), "[::1]:8000");
    EXPECT_EQ(read("[::]:81"), "[::]:81");
    EXPECT_EQ(read("unix:/run/a:b.sock"), "unix:/run/a:b.sock");
}

TEST(Endpoint, IsNothingElse) {
    for (const char* text :
         {"", ":", ":80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "[::1", "127.0.0.1:80x",
          "[::1]:", "::1]:80", "unix:", "example.org:80", "256.0.0.1"})
        EXPECT_EQ(read(text), "none") << text;
}

}  // namespace
}  // namespace weir::server

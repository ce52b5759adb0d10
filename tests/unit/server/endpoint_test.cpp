#include "server/entrance/endpoint.h"

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

std::string read_all(std::string_view text) {
    std::string texts;
    for (const net::Address& each : parse_endpoints(text, 8000)) texts += each.text() + ' ';
    return texts;
}

TEST(Endpoints, OfAPortAloneIsLoopback) {
    EXPECT_EQ(read_all("8080"), "127.0.0.1:8080 ");
    EXPECT_EQ(read_all("0"), "127.0.0.1:0 ");
    EXPECT_EQ(read_all("65536"), "");
}

TEST(Endpoints, OfNoHostOrAStarAreEveryAddress) {
    EXPECT_EQ(read_all(":8080"), "0.0.0.0:8080 [::]:8080 ");
    EXPECT_EQ(read_all("*:8080"), "0.0.0.0:8080 [::]:8080 ");
    EXPECT_EQ(read_all("*"), "0.0.0.0:8000 [::]:8000 ");
    EXPECT_EQ(read_all("*:"), "");
}

TEST(Endpoints, AreElseOneAddress) {
    EXPECT_EQ(read_all("[::1]:81"), "[::1]:81 ");
    EXPECT_EQ(read_all("::"), "[::]:8000 ");
    EXPECT_EQ(read_all("unix:/run/a:b.sock"), "unix:/run/a:b.sock ");
    for (const char* text : {"", ":", "::1]:80", "**:80", "a*:80", ":80x", "8080x", "unix:"})
        EXPECT_EQ(read_all(text), "") << text;
}

TEST(Endpoints, CannotBeListenedOnTwice) {
    const auto repeated = [](std::vector<std::string> texts) {
        return find_repeated({{texts, 8000}});
    };
    EXPECT_EQ(repeated({"127.0.0.1", "::1", "8000"}), "127.0.0.1:8000 is given twice");
    EXPECT_EQ(repeated({"unix:/a", "unix:/a"}), "unix:/a is given twice");
    for (const auto& both : {std::vector<std::string>{"[::1]", ":8000"}, {":8000", "[::1]"}})
        EXPECT_EQ(repeated(both), "[::1]:8000 is given twice: [::]:8000 includes it");
    EXPECT_EQ(repeated({"127.0.0.1", "127.0.0.2", "127.0.0.1:80", "unix:/a", "unix:/b", "*:81"}),
              "");
    EXPECT_EQ(repeated({"127.0.0.1:0", "127.0.0.1:0", "*:0"}), "");
}

TEST(Endpoints, AreLocalWhereNoOtherMachineReachesThem) {
    const auto local = [](std::vector<std::string> texts) { return are_local(texts); };
    EXPECT_TRUE(local({"8080", "127.0.0.1", "127.1.2.3:80", "[::1]", "unix:/run/weir.sock"}));
    for (const char* text : {":8080", "*", "0.0.0.0", "[::]:80", "192.0.2.7"})
        EXPECT_FALSE(local({"127.0.0.1", text})) << text;
}

TEST(Endpoints, AreLoopbackWhereNoProxyOfOthersIsMeant) {
    const auto loopback = [](std::vector<std::string> texts) { return are_loopback(texts); };
    EXPECT_TRUE(loopback({"8080", "127.0.0.1", "127.1.2.3:80", "[::1]"}));
    for (const char* text : {"unix:/run/weir.sock", "*", "192.0.2.7"})
        EXPECT_FALSE(loopback({"127.0.0.1", text})) << text;
}

}  // namespace
}  // namespace weir::server

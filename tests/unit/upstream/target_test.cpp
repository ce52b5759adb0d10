// The servers that an operator names.

#include "upstream/look_up.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::upstream {
namespace {

std::string error_of(std::string_view text) {
    auto target = parse_target(text);
    if (!target) return target.error();
    const auto found = look_up(*target);
    return found ? "none" : found.error();
}

TEST(Target, IsAnAddressWithAPort) {
    const auto target = parse_target("http://127.0.0.1:3000");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->authority, "127.0.0.1:3000");
    EXPECT_EQ(target->path, "");
    ASSERT_EQ(target->addresses.size(), 1u);
    EXPECT_EQ(target->addresses[0].text(), "127.0.0.1:3000");
}

TEST(Target, HasPort80AndAPath) {
    const auto target = parse_target("http://[::1]/a/b");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->authority, "[::1]");
    EXPECT_EQ(target->path, "/a/b");
    EXPECT_EQ(target->addresses[0].text(), "[::1]:80");
}

TEST(Target, MayHaveToProveItsHost) {
    const auto plain = parse_target("http://127.0.0.1");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->host, "");
    const auto secure = parse_target("https://[::1]/a");
    ASSERT_TRUE(secure);
    EXPECT_EQ(secure->host, "::1");
    EXPECT_EQ(secure->addresses[0].text(), "[::1]:443");
    EXPECT_EQ(parse_target("https://a.example:8443")->port, 8443);
}

TEST(Target, MayBeAUnixSocket) {
    const auto target = parse_target("unix:/run/app.sock");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->authority, "localhost");
    EXPECT_EQ(target->addresses[0].text(), "unix:/run/app.sock");
}

TEST(Target, HasTheUrlOfItsServer) {
    EXPECT_EQ(parse_target("http://a.example:81/b/c")->url, "http://a.example:81");
    EXPECT_EQ(parse_target("https://a.example")->url, "https://a.example");
    EXPECT_EQ(parse_target("unix:/run/app.sock")->url, "unix:/run/app.sock");
}

TEST(Target, NameIsLookedUp) {
    auto target = parse_target("http://127.1:3000");  // a name for inet_pton(3)
    ASSERT_TRUE(target);
    EXPECT_TRUE(target->addresses.empty());
    ASSERT_TRUE(look_up(*target));
    EXPECT_EQ(target->authority, "127.1:3000");
    ASSERT_EQ(target->addresses.size(), 1u);
    EXPECT_EQ(target->addresses[0].text(), "127.0.0.1:3000");
}

TEST(Target, SaysWhatIsWrong) {
    EXPECT_EQ(error_of("127.0.0.1:3000"),
              "write http://host:port, https://host:port or unix:/path, not 127.0.0.1:3000");
    const std::pair<const char*, const char*> wrong[] = {
        {"http://", "it has no host"},
        {"http://:80", "it has no host"},
        {"http://a:b", "the port is not between 1 and 65535"},
        {"http://a:0", "the port is not between 1 and 65535"},
        {"http://a:99999", "the port is not between 1 and 65535"},
        {"http://[::1", "a bracket has no end"},
        {"http://[::1]x", "only a port may follow a bracket"},
        {"http://a?q", "it has a query"},
        {"http://a/?b", "it has a query"},
        {"http://a/#b", "it has a fragment"},
        {"http://u:p@a", "it has a user"},
        {"http://a/ b", "it has a space"},
    };
    for (const auto& [text, why] : wrong)
        EXPECT_EQ(error_of(text), std::string{"not a URL of a server, as "} + why + ": " + text);
    EXPECT_NE(error_of("http://no.such.name.invalid").find("no.such.name.invalid has no address"),
              std::string::npos);
    EXPECT_EQ(error_of("unix:"),
              "the path of the unix socket is missing, as in unix:/run/app.sock");
    EXPECT_NE(error_of("unix:/" + std::string(200, 'x')).find("107 bytes"), std::string::npos);
}

TEST(Target, LocalhostHasTwoAddresses) {
    const auto target = parse_target("https://localhost");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->name, "");
    ASSERT_EQ(target->addresses.size(), 2u);
    EXPECT_EQ(target->addresses[0].text(), "127.0.0.1:443");
    EXPECT_EQ(target->addresses[1].text(), "[::1]:443");
}

TEST(Target, FamiliesTakeTurns) {
    const auto at = [](const char* host) { return *net::Address::parse(host, 80); };
    const std::vector all{at("::1"), at("::2"), at("::3"), at("127.0.0.1"), at("127.0.0.2")};
    const std::vector turns{at("::1"), at("127.0.0.1"), at("::2"), at("127.0.0.2"), at("::3")};
    EXPECT_EQ(in_turn(all), turns);
    EXPECT_EQ(in_turn(std::vector{at("127.0.0.1"), at("::1"), at("::2")}),
              (std::vector{at("127.0.0.1"), at("::1"), at("::2")}));
    EXPECT_TRUE(in_turn({}).empty());
}

}  // namespace
}  // namespace weir::upstream

#include "access/request/client.h"

#include <gtest/gtest.h>

namespace weir::access {
namespace {

using Kind = Client::Kind;

TEST(Clients, HaveTheKindOfTheirAddress) {
    EXPECT_EQ(Client::parse("192.0.2.7").kind, Kind::ipv4);
    EXPECT_EQ(Client::parse("2001:db8::7").kind, Kind::ipv6);
    EXPECT_EQ(Client::parse("::ffff:192.0.2.7"), Client::parse("192.0.2.7"));
    EXPECT_EQ(Client::parse("unix:").kind, Kind::unix_socket);
    EXPECT_EQ(Client::parse("fe80::1%eth0"), Client::parse("fe80::1"));
    for (const char* const text : {"", "x", "192.0.2", "192.0.2.7x", "::g", "1.2.3.4\n"})
        EXPECT_EQ(Client::parse(text).kind, Kind::unknown) << text;
}

TEST(Clients, AHouseholdIsOneClient) {
    const auto key = [](std::string_view text) { return Client::parse(text).key(); };
    EXPECT_EQ(key("2001:db8:1:2::7"), key("2001:db8:1:2:ffff::"));
    EXPECT_NE(key("2001:db8:1:2::7"), key("2001:db8:1:3::7"));
    EXPECT_NE(key("192.0.2.7"), key("192.0.2.8"));
    EXPECT_NE(key("unix:"), key("0.0.0.0"));
}

}  // namespace
}  // namespace weir::access

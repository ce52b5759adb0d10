#include "access/request/network.h"

#include <gtest/gtest.h>

namespace weir::access {
namespace {

Network network(std::string_view text) { return Network::parse(text).value(); }

bool contains(std::string_view text, std::string_view address) {
    return network(text).contains(Client::parse(address));
}

TEST(Networks, ContainTheirAddresses) {
    EXPECT_TRUE(contains("192.0.2.0/24", "192.0.2.255"));
    EXPECT_FALSE(contains("192.0.2.0/24", "192.0.3.0"));
    EXPECT_TRUE(contains("192.0.2.128/25", "192.0.2.128"));
    EXPECT_FALSE(contains("192.0.2.128/25", "192.0.2.127"));
    EXPECT_TRUE(contains("0.0.0.0/0", "255.1.2.3"));
    EXPECT_TRUE(contains("192.0.2.7", "192.0.2.7"));
    EXPECT_FALSE(contains("192.0.2.7", "192.0.2.6"));
    EXPECT_TRUE(contains("2001:db8::/33", "2001:db8:7fff::1"));
    EXPECT_FALSE(contains("2001:db8::/33", "2001:db8:8000::1"));
    EXPECT_TRUE(contains("::1", "::1"));
}

TEST(Networks, KindsDoNotMix) {
    EXPECT_FALSE(contains("0.0.0.0/0", "::1"));
    EXPECT_FALSE(contains("::/0", "192.0.2.7"));
    EXPECT_FALSE(contains("::/0", "unix:"));
    EXPECT_TRUE(contains("unix", "unix:"));
    EXPECT_FALSE(contains("unix", "0.0.0.0"));
    EXPECT_TRUE(contains("192.0.2.0/24", "::ffff:192.0.2.7")) << "it is an IPv4 address";
}

TEST(Networks, AreWrittenAsTheyAreRead) {
    for (const char* const text : {"192.0.2.0/24", "192.0.2.7", "2001:db8::/32", "::/0", "unix"})
        EXPECT_EQ(network(text).text(), text);
}

TEST(Networks, WhatIsNoneIsRefused) {
    for (const char* const text :
         {"", "/", "/24", "192.0.2.0/", "192.0.2.0/33", "::/129", "192.0.2/24", "192.0.2.0/+8",
          "192.0.2.0/8x", "fe80::1%lo", "localhost", "unix:", "[::1]", "192.0.2.0 /24"})
        EXPECT_FALSE(Network::parse(text).has_value()) << text;
    EXPECT_EQ(Network::parse("10.1.2.3/8").error(),
              "'10.1.2.3/8' is an address within the network 10.0.0.0/8");
    EXPECT_EQ(Network::parse("::ffff:192.0.2.7").error(),
              "'::ffff:192.0.2.7' is an IPv4 address within IPv6; write 192.0.2.7");
}

}  // namespace
}  // namespace weir::access

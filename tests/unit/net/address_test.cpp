#include "net/address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cstring>
#include <string>

namespace weir::net {
namespace {

std::string text_of(std::string_view host, std::uint16_t port) {
    const auto address = Address::parse(host, port);
    return address ? address->text() : "no address";
}

TEST(Address, ReadsNumericHosts) {
    EXPECT_EQ(text_of("127.0.0.1", 8000), "127.0.0.1:8000");
    EXPECT_EQ(text_of("localhost", 1), "127.0.0.1:1");
    EXPECT_EQ(text_of("0.0.0.0", 0), "0.0.0.0:0");
    EXPECT_EQ(text_of("::1", 65535), "[::1]:65535");
    EXPECT_EQ(text_of("[2001:db8::7]", 80), "[2001:db8::7]:80");
    EXPECT_EQ(text_of("fe80::1%lo", 80), "[fe80::1%lo]:80");
}

TEST(Address, ReadsUnixPaths) {
    const auto address = Address::parse("unix:/run/weir.sock", 8000);
    ASSERT_TRUE(address);
    EXPECT_TRUE(address->is_unix());
    EXPECT_EQ(address->path(), "/run/weir.sock");
    EXPECT_EQ(address->port(), 0);
    EXPECT_EQ(address->text(), "unix:/run/weir.sock");
    EXPECT_EQ(address->host(), "unix:/run/weir.sock");
}

TEST(Address, HoldsTheLongestUnixPathAndNoLonger) {
    const std::string longest(107, 'p');
    ASSERT_TRUE(Address::parse("unix:" + longest, 0));
    EXPECT_EQ(Address::parse("unix:" + longest, 0)->path(), longest);
    EXPECT_FALSE(Address::parse("unix:" + longest + "p", 0));
}

TEST(Address, RefusesWhatIsNoAddress) {
    using namespace std::string_view_literals;
    for (const auto host :
         {""sv, "example.com"sv, "127.0.0"sv, "127.0.0.1:80"sv, "[127.0.0.1]"sv, "[::1"sv,
          "::1%no-such-interface"sv, "unix:"sv, "127.0.0.1\0x"sv, "unix:/a\0b"sv})
        EXPECT_FALSE(Address::parse(host, 80)) << host;
}

TEST(Address, KnowsWhoMayReachIt) {
    EXPECT_TRUE(Address::parse("127.9.9.9", 0)->is_loopback());
    EXPECT_TRUE(Address::parse("::1", 0)->is_loopback());
    EXPECT_TRUE(Address::parse("unix:/x", 0)->is_loopback());
    EXPECT_FALSE(Address::parse("0.0.0.0", 0)->is_loopback());
    EXPECT_FALSE(Address::parse("::", 0)->is_loopback());
    EXPECT_TRUE(Address::parse("0.0.0.0", 0)->is_any());
    EXPECT_TRUE(Address::parse("::", 0)->is_any());
    EXPECT_FALSE(Address::parse("192.0.2.1", 0)->is_any());
    EXPECT_FALSE(Address::parse("unix:/x", 0)->is_any());
}

TEST(Address, TakesAnotherPort) {
    auto ipv4 = *Address::parse("127.0.0.1", 1);
    ipv4.port(2);
    EXPECT_EQ(ipv4.text(), "127.0.0.1:2");
    auto ipv6 = *Address::parse("::1", 1);
    ipv6.port(2);
    EXPECT_EQ(ipv6.text(), "[::1]:2");
}

PeerAddress peer(std::string_view host, std::uint16_t port = 1) {
    const auto address = *Address::parse(host, port);
    sockaddr_storage storage{};
    std::memcpy(&storage, address.data(), address.size());
    return PeerAddress{storage};
}

std::string peer_text(std::string_view host, std::uint16_t port) {
    std::string text;
    peer(host, port).append_to(text);
    return text + " " + std::to_string(peer(host, port).port());
}

TEST(PeerAddress, IsWrittenWithoutPort) {
    EXPECT_EQ(peer_text("192.0.2.7", 4321), "192.0.2.7 4321");
    EXPECT_EQ(peer_text("255.255.255.255", 1), "255.255.255.255 1");
    EXPECT_EQ(peer_text("0.10.0.100", 1), "0.10.0.100 1");
    EXPECT_EQ(peer_text("2001:db8::7", 4321), "2001:db8::7 4321");
    EXPECT_EQ(peer_text("::ffff:192.0.2.7", 4321), "192.0.2.7 4321");
    EXPECT_EQ(peer_text("unix:/x", 0), "unix: 0");
}

TEST(PeerAddress, NetworkIsTheAddressOrTheFirst64Bits) {
    EXPECT_EQ(peer("2001:db8::7").network(), peer("2001:db8::8").network());
    EXPECT_NE(peer("2001:db8::7").network(), peer("2001:db8:0:1::7").network());
    EXPECT_NE(peer("192.0.2.7").network(), peer("192.0.2.8").network());
    EXPECT_EQ(peer("192.0.2.7").network(), peer("::ffff:192.0.2.7").network());
    EXPECT_NE(peer("0.0.0.0").network(), peer("::").network());
}

TEST(PeerAddress, OfNobodyIsUnix) {
    std::string text{"from "};
    PeerAddress{}.append_to(text);
    EXPECT_EQ(text, "from unix:");
}

}  // namespace
}  // namespace weir::net

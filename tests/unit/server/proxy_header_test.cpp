// The header of the PROXY protocol.

#include "server/proxied/proxy_header.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace weir::server {
namespace {

using State = ProxyHeader::State;
using namespace std::string_literals;

const std::string signature = "\r\n\r\n\0\r\nQUIT\n"s;

std::string binary(char command, char family, const std::string& addresses) {
    return signature + command + family + static_cast<char>(addresses.size() >> 8U) +
           static_cast<char>(addresses.size() & 0xffU) + addresses;
}

const std::string internet = "\xc0\x00\x02\x07\xc6\x33\x64\x01\x30\x39\x01\xbb"s;

std::string address_of(const std::string& header) {
    const auto read = read_proxy_header(header + "GET / HTTP/1.1\r\n");
    EXPECT_EQ(read.state, State::whole) << header;
    EXPECT_EQ(read.size, header.size()) << header;
    return read.address;
}

TEST(ProxyHeader, ALineNamesTheClient) {
    EXPECT_EQ(address_of("PROXY TCP4 192.0.2.7 198.51.100.1 12345 443\r\n"), "192.0.2.7");
    EXPECT_EQ(address_of("PROXY TCP6 2001:DB8:0::7 ::1 0 65535\r\n"), "2001:db8::7");
    EXPECT_EQ(address_of("PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2\r\n"), "192.0.2.7");
    EXPECT_EQ(address_of("PROXY UNKNOWN\r\n"), "");
    EXPECT_EQ(address_of("PROXY UNKNOWN ffff:f whatever 1\r\n"), "");
}

TEST(ProxyHeader, AHeaderInBytesNamesTheClient) {
    EXPECT_EQ(address_of(binary('\x21', '\x11', internet)), "192.0.2.7");
    EXPECT_EQ(address_of(binary('\x21', '\x11', internet + "\x04\x00\x01x"s)), "192.0.2.7");
    const std::string six = "\x20\x01\x0d\xb8"s + std::string(11, '\0') + '\x07';
    EXPECT_EQ(address_of(binary('\x21', '\x21', six + six + "\x30\x39\x01\xbb")), "2001:db8::7");
    EXPECT_EQ(address_of(binary('\x21', '\x31', std::string(216, '/'))), "unix:");
    EXPECT_EQ(address_of(binary('\x21', '\0', "")), "");
    EXPECT_EQ(address_of(binary('\x20', '\x11', internet)), "") << "a check of the proxy's own";
    EXPECT_EQ(address_of(binary('\x20', '\0', "")), "");
}

TEST(ProxyHeader, EachBeginningIsIncomplete) {
    for (const std::string& header :
         {"PROXY TCP4 192.0.2.7 198.51.100.1 12345 443\r\n"s, binary('\x21', '\x11', internet)})
        for (std::size_t size = 0; size < header.size(); ++size)
            EXPECT_EQ(read_proxy_header(header.substr(0, size)).state, State::incomplete) << size;
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, IsCalledSo) { EXPECT_EQ(read_proxy_header(GetParam()).state, State::malformed); }

INSTANTIATE_TEST_SUITE_P(
    ProxyHeader, Malformed,
    testing::Values(
        "GET / HTTP/1.1\r\n", "PROXZ", "PROXY \r\n", "PROXY TCP4\r\n", "PROXY UNKNOWNS\r\n",
        "PROXY TCP5 192.0.2.7 192.0.2.8 1 2\r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 1\r\n",
        "PROXY TCP4 192.0.2.7 192.0.2.8 1 2 3\r\n", "PROXY TCP4 192.0.2.7  192.0.2.8 1 2\r\n",
        "PROXY TCP4 192.0.2.7 192.0.2.8 1 65536\r\n", "PROXY TCP4 192.0.2.7 192.0.2.8 01 2\r\n",
        "PROXY TCP4 192.0.2.7 192.0.2.8 +1 2\r\n", "PROXY TCP4 192.0.2.256 192.0.2.8 1 2\r\n",
        "PROXY TCP4 192.0.2.7 host 1 2\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
        "PROXY TCP6 192.0.2.7 192.0.2.8 1 2\r\n", "PROXY " + std::string(101, 'x'),
        "PROXY TCP6 " + std::string(60, '1') + " ::1 1 2\r\n", binary('\x22', '\x11', internet),
        binary('\x11', '\x11', internet), binary('\x21', '\x12', internet),
        binary('\x21', '\x41', internet), binary('\x21', '\x11', internet.substr(1)),
        binary('\x21', '\x21', internet), binary('\x21', '\x31', internet),
        signature + "\x21\x11\xff\xff", "PROXY TCP6 ::\0:384.0.2.7 ::1 1 2\r\n"s));

}  // namespace
}  // namespace weir::server

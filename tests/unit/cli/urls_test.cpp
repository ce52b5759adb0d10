#include "cli/announce/urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Urls urls(std::vector<std::string> addresses) {
    const std::vector<std::string> machine{"192.0.2.7", "2001:db8::7"};
    return urls_of(addresses, machine);
}

TEST(Urls, OfLoopbackAreForThisMachine) {
    const auto found = urls({"127.0.0.1:80", "[::1]:81", "unix:/run/weir.sock"});
    EXPECT_THAT(found.here, ElementsAre("http://127.0.0.1:80/", "http://[::1]:81/"));
    EXPECT_THAT(found.others, IsEmpty());
}

TEST(Urls, OfAnAddressOfTheMachineAreForOthers) {
    EXPECT_THAT(urls({"192.0.2.7:80"}).others, ElementsAre("http://192.0.2.7:80/"));
}

TEST(Urls, OfEveryAddressAreThoseThatLeadThere) {
    const auto both = urls({"0.0.0.0:80", "[::]:80"});
    EXPECT_THAT(both.here, ElementsAre("http://127.0.0.1:80/"));
    EXPECT_THAT(both.others, ElementsAre("http://192.0.2.7:80/", "http://[2001:db8::7]:80/"));
    const auto ipv6 = urls({"[::]:80"});
    EXPECT_THAT(ipv6.here, ElementsAre("http://[::1]:80/"));
    EXPECT_THAT(ipv6.others, ElementsAre("http://[2001:db8::7]:80/"));
}

TEST(MachineAddresses, AreNotThoseOfLoopback) {
    for (const std::string& address : machine_addresses()) {
        EXPECT_FALSE(address.starts_with("127.")) << address;
        EXPECT_NE(address, "::1");
        EXPECT_FALSE(address.contains('%')) << address;
    }
}

}  // namespace
}  // namespace weir::cli

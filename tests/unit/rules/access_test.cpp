#include "rules/access/access.h"

#include <gtest/gtest.h>

#include "seen.h"
#include "weir/web/probe.h"

namespace weir::rules {
namespace {

AccessRule rule(bool allows, std::string_view network, std::string_view paths = {}) {
    return {.paths = Paths{paths}, .network = *Network::parse(network), .allows = allows};
}
AccessRule allow(std::string_view network, std::string_view paths = {}) {
    return rule(true, network, paths);
}
AccessRule deny(std::string_view network, std::string_view paths = {}) {
    return rule(false, network, paths);
}

/// Whether a peer may see a path.
bool lets(std::vector<AccessRule> rules, std::string_view peer, std::string_view path = "/") {
    Seen site;
    return Access{std::move(rules), site}.lets(Peer::parse(peer), RequestPath{path});
}

TEST(Access, WithoutAnAllowAllOthersMayAsk) {
    EXPECT_FALSE(lets({deny("192.0.2.0/24")}, "192.0.2.7"));
    EXPECT_TRUE(lets({deny("192.0.2.0/24")}, "198.51.100.7"));
    EXPECT_TRUE(lets({deny("192.0.2.0/24")}, "unix:"));
}

TEST(Access, WithAnAllowNobodyElseMayAsk) {
    EXPECT_TRUE(lets({allow("192.0.2.0/24")}, "192.0.2.7"));
    EXPECT_FALSE(lets({allow("192.0.2.0/24")}, "198.51.100.7"));
    EXPECT_FALSE(lets({allow("192.0.2.0/24")}, "::1"));
    EXPECT_FALSE(lets({allow("192.0.2.0/24")}, "unix:"));
    EXPECT_TRUE(lets({allow("192.0.2.0/24"), allow("unix")}, "unix:"));
}

TEST(Access, TheSmallestNetworkDecides) {
    const std::vector<AccessRule> rules{allow("10.0.0.0/8"), deny("10.1.0.0/16"),
                                        allow("10.1.2.3")};
    EXPECT_TRUE(lets(rules, "10.2.0.1"));
    EXPECT_FALSE(lets(rules, "10.1.0.1"));
    EXPECT_TRUE(lets(rules, "10.1.2.3"));
    EXPECT_FALSE(lets({allow("10.0.0.0/8"), deny("10.0.0.0/8")}, "10.0.0.1"));
    EXPECT_FALSE(lets({deny("10.0.0.0/8"), allow("10.0.0.0/8")}, "10.0.0.1"));
}

TEST(Access, RulesAreForTheirPaths) {
    const std::vector<AccessRule> rules{allow("10.0.0.0/8", "/admin/**"), deny("10.9.0.0/16")};
    EXPECT_TRUE(lets(rules, "192.0.2.7", "/"));
    EXPECT_FALSE(lets(rules, "192.0.2.7", "/admin/x"));
    EXPECT_FALSE(lets(rules, "192.0.2.7", "/admin")) << "the folder itself belongs to it";
    EXPECT_TRUE(lets(rules, "10.0.0.1", "/admin/x"));
    EXPECT_FALSE(lets(rules, "10.9.0.1", "/"));
}

TEST(Access, NoSpellingOfAPathPassesARule) {
    const std::vector<AccessRule> rules{allow("10.0.0.0/8", "/admin/**")};
    for (const char* const path : {"//admin/x", "/%61dmin/x", "/a/../admin/x", "/./admin/x",
                                   "/admin//x", "/admin%zz", "/admin/%00", "/../admin/x", "*"})
        EXPECT_FALSE(lets(rules, "192.0.2.7", path)) << path;
}

TEST(Access, WhoMayNotAskGets403) {
    Seen site;
    Access denies{{deny("192.0.2.7")}, site};
    web::Probe probe{denies};  // comes from 192.0.2.7
    EXPECT_EQ(probe.get("/").status, 403u);
    Access allows{{allow("192.0.2.7")}, site};
    web::Probe other{allows};
    EXPECT_EQ(other.get("/a?b").content, "|/a|b|");
}

}  // namespace
}  // namespace weir::rules

#include "weir/access/networks.h"

#include <gtest/gtest.h>

#include "weir/web/probe.h"

namespace weir::access {
namespace {

/// The site behind the rules.
class Behind final : public http::Handler {
   public:
    http::Reply handle(const http::Request&) override { return http::Response{}; }
};

/// Probes come from 192.0.2.7.
unsigned status(const std::vector<NetworkRule>& rules, std::string_view target = "/") {
    Behind behind;
    const auto limited = limit_networks(behind, {}, rules);
    EXPECT_TRUE(limited.has_value()) << limited.error();
    return web::Probe{**limited}.get(target).status;
}

NetworkRule allow(std::string network, std::string glob = {}) {
    return {.glob = std::move(glob), .network = std::move(network)};
}
NetworkRule deny(std::string network, std::string glob = {}) {
    return {.glob = std::move(glob), .network = std::move(network), .allows = false};
}

TEST(NetworksAtPaths, TheAnswerSaysThatTheClientIsRefused) {
    Behind behind;
    const auto limited = limit_networks(behind, {}, {deny("192.0.2.7")});
    ASSERT_TRUE(limited.has_value()) << limited.error();
    EXPECT_TRUE(web::Probe{**limited}.get("/").content.contains("requests from this network"));
}

TEST(NetworksAtPaths, WhoeverIsNotAllowedIsShutOut) {
    EXPECT_EQ(status({allow("192.0.2.0/24")}), 200u);
    EXPECT_EQ(status({allow("198.51.100.0/24")}), 403u);
    EXPECT_EQ(status({allow("198.51.100.0/24"), allow("192.0.2.7")}), 200u);
    EXPECT_EQ(status({allow("::/0")}), 403u);
    EXPECT_EQ(status({deny("192.0.2.7")}), 403u);
    EXPECT_EQ(status({deny("198.51.100.0/24")}), 200u);
}

TEST(NetworksAtPaths, TheSmallestNetworkDecidesInAnyOrder) {
    EXPECT_EQ(status({allow("192.0.2.0/24"), deny("192.0.2.0/28")}), 403u);
    EXPECT_EQ(status({deny("192.0.2.0/28"), allow("192.0.2.0/24")}), 403u);
    EXPECT_EQ(status({deny("192.0.2.0/24"), allow("192.0.2.7")}), 200u);
    EXPECT_EQ(status({allow("192.0.2.7"), deny("192.0.2.7")}), 403u);
    EXPECT_EQ(status({deny("192.0.2.7"), allow("192.0.2.7")}), 403u);
}

TEST(NetworksAtPaths, ARuleMayBeForSomePaths) {
    const std::vector<NetworkRule> rules{allow("198.51.100.0/24", "/admin"),
                                         deny("192.0.2.7", "*.pdf")};
    EXPECT_EQ(status(rules, "/"), 200u);
    EXPECT_EQ(status(rules, "/a.pdf.gz"), 403u);
    for (const char* const path : {"/admin", "/admin/x", "//admin", "/%61dmin/", "/ADMIN/x",
                                   "/admin%2fx", "/x/../admin", "/%zz"})
        EXPECT_EQ(status(rules, path), 403u) << path;
}

TEST(NetworksAtPaths, EachReadingOfAPathIsJudged) {
    const std::vector<NetworkRule> rules{deny("192.0.2.7", "/admin"),
                                         allow("192.0.2.7/32", "/public"),
                                         allow("192.0.2.7", "*.css"), deny("192.0.2.0/24")};
    EXPECT_EQ(status(rules, "/x.css"), 200u);
    EXPECT_EQ(status(rules, "/public/a%2fx;y"), 200u);
    for (const char* const path : {"/x;.css", "/x%3b.css", "/admin;.css/x.css", "/admin%2Fx.css",
                                   "/public%2fx", "/public/..;/x", "/;/admin", "/public%2f..%2fx"})
        EXPECT_EQ(status(rules, path), 403u) << path;
}

TEST(NetworksAtPaths, WhatIsWrongIsRefused) {
    Behind behind;
    EXPECT_EQ(limit_networks(behind, {}, {allow("x")}).error().substr(0, 17), "'x' is no network");
    EXPECT_FALSE(limit_networks(behind, {}, {allow("::1", "a/b")}).has_value());
}

}  // namespace
}  // namespace weir::access

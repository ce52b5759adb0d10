#include "weir/rules/hosts.h"

#include <gtest/gtest.h>

#include <string>

#include "weir/web/probe.h"

namespace weir::rules {
namespace {

class Named final : public http::Handler {
   public:
    explicit Named(std::string name) : name_{std::move(name)} {}
    http::Reply handle(const http::Request&) override {
        http::Response response;
        response.content(name_);
        return response;
    }

   private:
    const std::string name_;
};

struct Hosts : ::testing::Test {
    Named exact{"exact"}, below{"below"}, deeper{"deeper"}, address{"address"}, other{"other"};
    const std::vector<HostHandler> sites{{{"Example.org", "www.example.net."}, &exact},
                                         {{"*.example.org"}, &below},
                                         {{"*.b.example.org"}, &deeper},
                                         {{"[::1]", "127.0.0.1"}, &address}};

    static std::string asked(http::Handler& handler, const std::string& host) {
        web::Probe probe{handler};
        const auto answer = probe.get("/", {{"Host", host}});
        return answer.status == 200 ? answer.content : std::to_string(answer.status);
    }
};

TEST_F(Hosts, AreChosenByName) {
    const auto hosts = choose_by_host(sites, &other);
    ASSERT_TRUE(hosts) << hosts.error();
    const std::pair<std::string, std::string> expected[] = {
        {"example.org", "exact"},          {"EXAMPLE.org:8080", "exact"},
        {"example.org.", "exact"},         {"www.example.net", "exact"},
        {"a.example.org", "below"},        {"x.a.example.org:1", "below"},
        {"b.example.org", "below"},        {"a.b.example.org", "deeper"},
        {"x.a.b.example.org.", "deeper"},  {"[::1]:80", "address"},
        {"127.0.0.1:80", "address"},       {"example.net", "other"},
        {"notexample.org", "other"},       {"org", "other"},
        {"example.org.evil.com", "other"}, {std::string(300, 'a') + ".example.org", "other"},
    };
    for (const auto& [host, site] : expected) EXPECT_EQ(asked(**hosts, host), site) << host;
}

TEST_F(Hosts, OthersGet421WithoutADefault) {
    const auto hosts = choose_by_host(sites);
    ASSERT_TRUE(hosts) << hosts.error();
    EXPECT_EQ(asked(**hosts, "example.org"), "exact");
    EXPECT_EQ(asked(**hosts, "example.com"), "421");
}

TEST_F(Hosts, RefuseWhatIsNoName) {
    for (const char* const name : {"", "*", "*.", ".", "a b", "example.org:80", "[::1]:80",
                                   "a.*.org", "*.*.org", "/", "a@b.org"}) {
        const auto hosts = choose_by_host({{{name}, &exact}});
        ASSERT_FALSE(hosts) << name;
        EXPECT_TRUE(hosts.error().starts_with("'" + std::string{name} + "' is no host")) << name;
    }
}

TEST_F(Hosts, RefuseANameThatTwoHave) {
    const auto hosts = choose_by_host({{{"a.org"}, &exact}, {{"A.org."}, &below}});
    ASSERT_FALSE(hosts);
    EXPECT_EQ(hosts.error(), "two sites have the host 'A.org.'");
    EXPECT_TRUE(choose_by_host({{{"a.org"}, &exact}, {{"*.a.org"}, &below}}));
}

}  // namespace
}  // namespace weir::rules

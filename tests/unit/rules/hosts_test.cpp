#include "rules/hosts.h"

#include <gtest/gtest.h>

#include <stdexcept>

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

struct HostsOfSites : ::testing::Test {
    Named exact{"exact"}, below{"below"}, deeper{"deeper"}, address{"address"}, other{"other"};
    Hosts hosts{{{"Example.org", &exact},
                 {"*.example.org", &below},
                 {"*.b.example.org", &deeper},
                 {"[::1]", &address}},
                &other};

    static std::string asked(http::Handler& handler, const std::string& host) {
        web::Probe probe{handler};
        const auto answer = probe.get("/", {{"Host", host}});
        return answer.status == 200 ? answer.content : std::to_string(answer.status);
    }
};

TEST_F(HostsOfSites, AreChosenByName) {
    EXPECT_EQ(asked(hosts, "example.org"), "exact");
    EXPECT_EQ(asked(hosts, "EXAMPLE.org:8080"), "exact");
    EXPECT_EQ(asked(hosts, "example.org."), "exact");
    EXPECT_EQ(asked(hosts, "a.example.org"), "below");
    EXPECT_EQ(asked(hosts, "x.a.example.org:1"), "below");
    EXPECT_EQ(asked(hosts, "b.example.org"), "below");
    EXPECT_EQ(asked(hosts, "a.b.example.org"), "deeper");
    EXPECT_EQ(asked(hosts, "[::1]:80"), "address");
    EXPECT_EQ(asked(hosts, "notexample.org"), "other");
    EXPECT_EQ(asked(hosts, "org"), "other");
    EXPECT_EQ(asked(hosts, "example.org.evil.com"), "other");
    EXPECT_EQ(asked(hosts, std::string(300, 'a') + ".example.org"), "other");
}

TEST_F(HostsOfSites, OthersGet404WithoutADefault) {
    Hosts strict{{{"example.org", &exact}}, nullptr};
    EXPECT_EQ(asked(strict, "example.org"), "exact");
    EXPECT_EQ(asked(strict, "example.com"), "404");
}

TEST_F(HostsOfSites, WhatIsNoNameIsRefused) {
    for (const char* const name :
         {"", "*", "*.", "a b", "example.org:80", "a.*.org", "*.*.org", "/"})
        EXPECT_THROW((Hosts{{{name, &exact}}, nullptr}), std::invalid_argument) << name;
    EXPECT_THROW((Hosts{{{"a.org", &exact}, {"A.org", &below}}, nullptr}), std::invalid_argument);
}

}  // namespace
}  // namespace weir::rules

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "weir/web/probe.h"
#include "weir/web/ready_middleware.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

struct CrossOrigin : ::testing::Test {
    Router router;
    Probe probe{router};
    int changes = 0;

    CrossOrigin() {
        router.use(cross_origin_protection({"HTTPS://Login.Example:443", "http://b.example:8080"}));
        router.add("/change", [this] {
            ++changes;
            return text("changed");
        });
    }
    unsigned post(const Probe::Fields& fields) { return ask("POST", fields); }
    unsigned ask(std::string_view method, const Probe::Fields& fields) {
        return probe.ask(method, "/change", fields).status;
    }
};

TEST_F(CrossOrigin, SafeMethodsPass) {
    for (const char* const method : {"GET", "HEAD", "OPTIONS"})
        EXPECT_EQ(ask(method, {{"Sec-Fetch-Site", "cross-site"}}), 200u) << method;
    for (const char* const method : {"POST", "PUT", "PATCH", "DELETE", "PROPPATCH", "get"})
        EXPECT_EQ(ask(method, {{"Sec-Fetch-Site", "cross-site"}}), 403u) << method;
    EXPECT_EQ(changes, 3);
}

TEST_F(CrossOrigin, TheBrowserNamesTheSite) {
    for (const char* const own : {"same-origin", "none"})
        EXPECT_EQ(post({{"Sec-Fetch-Site", own}, {"Origin", "https://evil.example"}}), 200u) << own;
    for (const char* const other : {"cross-site", "same-site", "Same-Origin", "", "other"})
        EXPECT_EQ(post({{"Sec-Fetch-Site", other}, {"Origin", "http://localhost"}}), 403u) << other;
    EXPECT_EQ(changes, 2);
}

TEST_F(CrossOrigin, AnOlderBrowserNamesTheOrigin) {
    const auto from = [this](const char* origin, const char* host) {
        return post({{"Host", host}, {"Origin", origin}});
    };
    EXPECT_EQ(from("https://a.example", "a.example"), 200u);
    EXPECT_EQ(from("https://a.example", "A.example:443"), 200u);
    EXPECT_EQ(from("http://a.example", "a.example:80"), 200u);
    EXPECT_EQ(from("http://[::1]:8000", "[::1]:8000"), 200u);
    EXPECT_EQ(changes, 4);
    for (const char* const origin :
         {"https://evil.example", "https://a.example.evil.example", "https://sub.a.example",
          "https://a.example:444", "null", "a.example", "", "https://", "https://a.example/"})
        EXPECT_EQ(from(origin, "a.example"), 403u) << origin;
    EXPECT_EQ(changes, 4);
}

TEST_F(CrossOrigin, ProgramsThatAreNoBrowserPass) { EXPECT_EQ(post({}), 200u); }

TEST_F(CrossOrigin, SomeOriginsAreTrusted) {
    for (const char* const site : {"cross-site", "same-site"}) {
        EXPECT_EQ(post({{"Sec-Fetch-Site", site}, {"Origin", "https://login.example"}}), 200u);
        EXPECT_EQ(post({{"Sec-Fetch-Site", site}, {"Origin", "http://login.example"}}), 403u);
        EXPECT_EQ(post({{"Sec-Fetch-Site", site}}), 403u);
    }
    EXPECT_EQ(post({{"Origin", "http://b.example:8080"}}), 200u);
    EXPECT_EQ(post({{"Origin", "http://b.example"}}), 403u);
}

TEST_F(CrossOrigin, TrustedOriginsAreChecked) {
    for (const char* const wrong :
         {"", "null", "*", "a.example", "https://a.example/", "https://a.example/path",
          "https://*.example", "https://user@a.example"})
        EXPECT_THROW(cross_origin_protection({wrong}), std::invalid_argument) << wrong;
}

TEST_F(CrossOrigin, ARefusalIsAnError) {
    router.on_error([](const Error& error) {
        EXPECT_EQ(error.kind, Error::Kind::refused);
        EXPECT_EQ(error.status, Status::forbidden);
        return text("ours", error.status);
    });
    const auto refused = probe.ask("POST", "/change", {{"Sec-Fetch-Site", "cross-site"}});
    EXPECT_EQ(refused.status, 403u);
    EXPECT_EQ(refused.content, "ours");
    EXPECT_TRUE(probe.failures().empty()) << "a forged request is no error of the server";
}

TEST(CrossOriginGroup, OtherPathsAreFree) {
    Router router;
    Probe probe{router};
    router.group("/account").use(cross_origin_protection()).post("/name", [] { return "ok"; });
    router.post("/hook", [] { return "ok"; });
    const Probe::Fields other{{"Sec-Fetch-Site", "cross-site"}};
    EXPECT_EQ(probe.ask("POST", "/account/name", other).status, 403u);
    EXPECT_EQ(probe.ask("POST", "/hook", other).status, 200u);
}

}  // namespace
}  // namespace weir::web

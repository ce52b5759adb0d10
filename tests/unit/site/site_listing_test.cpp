#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteListing : public SiteTest {
   protected:
    void SetUp() override {
        tree.write("files/a.txt", "text");
        tree.write("indexed/index.html", "index");
    }
};

TEST_F(SiteListing, OffUnlessAskedFor) { EXPECT_EQ(ask(*open(), "GET /files/").status, 404u); }

TEST_F(SiteListing, APage) {
    const auto site = open({.listing = true});
    const auto answer = ask(*site, "GET /files/");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(answer.field("Vary"), "Accept");
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
    EXPECT_NE(answer.body.find("<a href=\"/files/a.txt\">a.txt</a>"), std::string::npos);
    EXPECT_EQ(ask(*site, "GET /indexed/").body, "index");
    EXPECT_EQ(ask(*site, "GET /files").status, 301u);
}

TEST_F(SiteListing, JsonByAccept) {
    const auto site = open({.listing = true});
    const auto answer = ask(*site, "GET /files/", {"Accept: application/json"});
    EXPECT_EQ(answer.field("Content-Type"), "application/json");
    EXPECT_TRUE(answer.body.starts_with("{\"path\":\"/files/\""));
    EXPECT_EQ(answer.field("Vary"), "Accept");
}

TEST_F(SiteListing, IsNeverOld) {
    const auto site = open({.listing = true});
    ask(*site, "GET /files/");
    tree.write("files/b.txt", "x");
    EXPECT_NE(ask(*site, "GET /files/").body.find("b.txt"), std::string::npos);
}

TEST_F(SiteListing, RulesCount) {
    const auto site =
        open({.listing = true, .fields = {{.glob = "/files/**", .name = "X-Own", .value = "yes"}}});
    EXPECT_EQ(ask(*site, "GET /files/").field("X-Own"), "yes");
    EXPECT_EQ(ask(*site, "GET /files/a.txt").field("X-Own"), "yes");
}

}  // namespace
}  // namespace weir::site

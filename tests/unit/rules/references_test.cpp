// References in responses to rewritten requests: they begin at the address that the client has.

#include <gtest/gtest.h>

#include "rules/addressed.h"
#include "unit/site/site_fixture.h"
#include "weir/rules/folder_rules.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::rules {
namespace {

struct References : site::SiteTest {
    void SetUp() override {
        tree.write("blog/index.html", "blog");
        tree.write("page.html", "page");
        tree.write("files/a.txt", "a");
        tree.write("_redirects", "/nf/a/b /blog 200\n");
    }
};

TEST_F(References, RedirectsOfARewrittenAddress) {
    const auto site = open({.clean_urls = true});
    const auto led = lead(*site, {"/a/b: /blog", "/a/b/c: /page.html", "/x: /blog"}, "");
    web::Probe probe{**led};
    EXPECT_EQ(probe.get("/a/b?q").field("Location"), "../blog/?q");
    EXPECT_EQ(probe.get("/a/b/c").field("Location"), "../../page");
    EXPECT_EQ(probe.get("/x").field("Location"), "./blog/");
    EXPECT_EQ(probe.get("//x").field("Location"), "/blog/");
    EXPECT_EQ(probe.get("/blog").field("Location"), "./blog/");
    probe.speak(web::Probe::Protocol::http2);
    EXPECT_EQ(probe.get("/a/b?q").field("location"), "../blog/?q");
    EXPECT_EQ(probe.get("/blog").field("location"), "./blog/");
}

TEST_F(References, RedirectsBelowAPrefix) {
    const auto site = open();
    BelowPrefix below{*site, *PrefixPath::parse("/docs")};
    const auto led = lead(below, {"/a/b: /blog"}, "/docs");
    web::Probe probe{**led};
    EXPECT_EQ(probe.get("/docs/a/b").field("Location"), "../blog/");
    EXPECT_EQ(probe.get("/docs/blog").field("Location"), "./blog/");
    EXPECT_EQ(probe.get("/docs//a/b").field("Location"), "/docs/blog/");
}

TEST_F(References, RedirectsOfFolderRules) {
    const auto site = open();
    const auto rules = follow_folder_rules(*site, *site, *site);
    const auto led = lead(*rules, {}, "/docs");
    EXPECT_EQ(web::Probe{*rules}.get("/nf/a/b").field("Location"), "../../blog/");
    EXPECT_EQ(web::Probe{**led}.get("/docs/nf/a/b").field("Location"), "../../blog/");
}

TEST_F(References, RedirectsBelowARouter) {
    const auto site = open();
    const auto rules = follow_folder_rules(*site, *site, *site);
    const auto led = lead(*site, {"/a/b: /blog"}, "");
    web::Router router;
    router.mount("/one", **led);
    router.mount("/two", *rules);
    web::Probe probe{router};
    EXPECT_EQ(probe.get("/one/a/b").field("Location"), "../blog/");
    EXPECT_EQ(probe.get("/one//a/b").field("Location"), "/one/blog/");
    EXPECT_EQ(probe.get("/two/nf/a/b").field("Location"), "../../blog/");
}

TEST_F(References, OfAListing) {
    const auto site = open({.listing = true});
    const auto led = lead(*site, {"/dl: /files/", "/a/dl/: /files/"}, "");
    web::Probe probe{**led};
    const auto page = probe.get("/dl").content;
    for (const char* const link : {"\"./\"", "\"./files/\"", "\"./files/a.txt\""})
        EXPECT_TRUE(page.contains(link)) << link << page;
    EXPECT_TRUE(probe.get("/a/dl/").content.contains("\"../../files/a.txt\""));
    const auto json = probe.ask("GET", "/dl", {{"Accept", "application/json"}}).content;
    EXPECT_TRUE(json.contains("\"href\":\"./files/a.txt\"")) << json;
}

TEST_F(References, OfAnErrorPage) {
    const auto site = open();
    const auto led = lead(*site, {"/a/b/c: /files/x/none"}, "");
    const auto page = web::Probe{**led}.get("/a/b/c").content;
    EXPECT_TRUE(page.contains("<a href=\"../../files/x/\">Up</a>")) << page;
    EXPECT_TRUE(page.contains("<a href=\"../../\">Home</a>")) << page;
}

}  // namespace
}  // namespace weir::rules

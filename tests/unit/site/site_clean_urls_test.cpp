#include "unit/site/followed.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteCleanUrls : public SiteTest {
   protected:
    void SetUp() override {
        tree.write("index.html", "root");
        tree.write("about.html", "about");
        tree.write("docs/index.html", "docs");
        tree.write("docs/page.html", "page");
        site = open({.clean_urls = true});
    }
    std::string location_of(const std::string& path) const {
        const auto answer = ask(*site, "GET " + path);
        EXPECT_EQ(answer.status, 301u) << path;
        EXPECT_EQ(answer.field("Cache-Control"), "no-cache") << path;
        return followed(path, answer.field("Location").value_or("none"));
    }
    std::string body_of(const std::string& path) const {
        const auto answer = ask(*site, "GET " + path);
        EXPECT_EQ(answer.status, 200u) << path;
        return answer.body;
    }

    std::unique_ptr<Site> site;
};

TEST_F(SiteCleanUrls, FindThePage) {
    EXPECT_EQ(body_of("/about"), "about");
    EXPECT_EQ(body_of("/about?x=1"), "about");
    EXPECT_EQ(body_of("/docs/page"), "page");
    EXPECT_EQ(ask(*site, "GET /about").field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(ask(*site, "GET /nothing").status, 404u);
}

TEST_F(SiteCleanUrls, AreOffUnlessAskedFor) {
    const auto plain = open();
    EXPECT_EQ(ask(*plain, "GET /about").status, 404u);
    EXPECT_EQ(ask(*plain, "GET /about/").status, 404u);
    EXPECT_EQ(ask(*plain, "GET /about.html").body, "about");
    EXPECT_EQ(ask(*plain, "GET /index.html").body, "root");
}

TEST_F(SiteCleanUrls, AreTheOnlyAddressOfAPage) {
    EXPECT_EQ(location_of("/about.html"), "/about");
    EXPECT_EQ(location_of("/about/"), "/about");
    EXPECT_EQ(location_of("/docs/page.html"), "/docs/page");
    EXPECT_EQ(location_of("/index.html"), "/");
    EXPECT_EQ(location_of("/index"), "/");
    EXPECT_EQ(location_of("/index/"), "/");
    EXPECT_EQ(location_of("/docs/index.html"), "/docs/");
    EXPECT_EQ(location_of("/docs"), "/docs/");
    EXPECT_EQ(body_of("/"), "root");
    EXPECT_EQ(body_of("/docs/"), "docs");
}

TEST_F(SiteCleanUrls, KeepTheQuery) {
    EXPECT_EQ(location_of("/about.html?a=1&b=%20"), "/about?a=1&b=%20");
    EXPECT_EQ(location_of("/about/?a"), "/about?a");
    EXPECT_EQ(location_of("/index.html?a"), "/?a");
}

TEST_F(SiteCleanUrls, OfAPageBesideAFolderOfItsName) {
    tree.write("docs.html", "docs page");
    EXPECT_EQ(body_of("/docs"), "docs page");
    EXPECT_EQ(body_of("/docs/"), "docs");
    EXPECT_EQ(location_of("/docs.html"), "/docs");
    tree.write("bare.html", "bare");
    tree.directory("bare");
    EXPECT_EQ(ask(*site, "GET /bare/").status, 404u) << "the folder's, which has no index";
}

TEST_F(SiteCleanUrls, AreNotThoseOfAnotherFile) {
    tree.write("about", "a file of that name");
    EXPECT_EQ(body_of("/about.html"), "about") << "it has no other address";
    EXPECT_EQ(body_of("/about"), "a file of that name");
    EXPECT_EQ(ask(*site, "GET /about/").status, 404u);
}

TEST_F(SiteCleanUrls, GoByTheIndexThatIsFoundFirst) {
    tree.write("start.html", "start");
    site = open({.index_names = {"start.html", "index.html"}, .clean_urls = true});
    EXPECT_EQ(body_of("/"), "start");
    EXPECT_EQ(location_of("/start.html"), "/");
    EXPECT_EQ(location_of("/index.html"), "/index");
    EXPECT_EQ(body_of("/index"), "root");
    EXPECT_EQ(location_of("/docs/index.html"), "/docs/");
}

TEST_F(SiteCleanUrls, LeaveErrorPagesAlone) {
    tree.write("404.html", "not here");
    EXPECT_EQ(body_of("/404.html"), "not here");
    const auto missing = ask(*site, "GET /missing");
    EXPECT_EQ(missing.status, 404u);
    EXPECT_EQ(missing.body, "not here");
}

TEST_F(SiteCleanUrls, NeverLoop) {
    tree.write("index.html.html", "deep");
    tree.write("a.html.html", "a");
    tree.write("dots/...html", "dots");
    tree.write("dots/.html", "no name");
    tree.write("x/x.html", "x");
    site = open({.clean_urls = true, .dotfiles = true});
    for (std::string path :
         {"/index.html.html", "/index.html", "/a.html.html", "/a.html", "/a", "/dots/...html",
          "/dots/.html", "/dots/", "/x.html", "/x/x.html/", "/x/x", "//about.html", "/about//"}) {
        int redirects = 0;
        for (auto answer = ask(*site, "GET " + path); answer.status == 301;
             answer = ask(*site, "GET " + path)) {
            const std::string next = followed(path, *answer.field("Location"));
            EXPECT_NE(next, path);
            path = next;
            ASSERT_LT(++redirects, 3) << path;
        }
    }
    EXPECT_EQ(body_of("/dots/...html"), "dots");
    EXPECT_EQ(body_of("/dots/.html"), "no name");
}

TEST_F(SiteCleanUrls, FollowWhatChanges) {
    settled(*site, "GET /about");
    tree.write("about", "a file");
    expect_body(*site, "GET /about", "a file");
    expect_status(*site, "GET /about.html", 200);
    settled(*site, "GET /about.html");
    tree.remove("about");
    expect_status(*site, "GET /about.html", 301);
}

}  // namespace
}  // namespace weir::site

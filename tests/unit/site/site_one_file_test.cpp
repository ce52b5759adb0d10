#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

/// The site serves one file of a folder that has more files.
class SiteOneFile : public SiteTest {
   protected:
    void SetUp() override {
        tree.write("page.html", "0123456789");
        tree.write("page.html.gz", "packed");
        tree.write("index.html", "index");
        tree.write("404.html", "own page");
        tree.write("sub/page.html", "below");
    }

    const Options page{.file = "page.html"};
};

TEST_F(SiteOneFile, IsServedAtTheRootAndByItsName) {
    const auto site = open(page);
    for (const char* const line : {"GET /", "GET /page.html", "GET /?x=1", "GET /./page%2Ehtml"}) {
        const auto answer = ask(*site, line);
        EXPECT_EQ(answer.status, 200u) << line;
        EXPECT_EQ(answer.body, "0123456789") << line;
        EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8") << line;
    }
}

TEST_F(SiteOneFile, NothingElseIs) {
    auto options = page;
    options.listing = options.spa_fallback = options.clean_urls = true;
    const auto site = open(options);
    for (const char* const line :
         {"GET /index.html", "GET /404.html", "GET /page.html.gz", "GET /page.html/", "GET /page",
          "GET /sub/", "GET /sub", "GET /sub/page.html", "GET /route", "GET /.",
          "GET /../page.html", "GET /%2Fpage.html", "GET /PAGE.HTML"}) {
        const auto answer = ask(*site, line);
        if (std::string_view{line} == "GET /.") {
            EXPECT_EQ(answer.body, "0123456789") << "the same as /";
            continue;
        }
        EXPECT_EQ(answer.status, 404u) << line;
        EXPECT_EQ(answer.body.find("own page"), std::string::npos) << line;
    }
}

TEST_F(SiteOneFile, IsSentAsItIs) {
    const auto answer = ask(*open(page), "GET /", {"Accept-Encoding: gzip"});
    EXPECT_EQ(answer.body, "0123456789");
    EXPECT_FALSE(answer.field("Content-Encoding"));
    EXPECT_FALSE(answer.field("Vary"));
}

TEST_F(SiteOneFile, HasRangesValidatorsAndHead) {
    const auto site = open(page);
    const auto whole = settled(*site, "GET /");
    EXPECT_EQ(ask(*site, "GET /", {"Range: bytes=2-4"}).body, "234");
    EXPECT_EQ(ask(*site, "GET /", {"If-None-Match: " + *whole.field("ETag")}).status, 304u);
    EXPECT_EQ(settled(*site, "GET /page.html").field("ETag"), whole.field("ETag"));
    EXPECT_EQ(ask(*site, "HEAD /").status, 200u);
    EXPECT_EQ(ask(*site, "POST /").status, 405u);
}

TEST_F(SiteOneFile, IsFollowedThroughRenames) {
    const auto site = open(page);
    settled(*site, "GET /");
    tree.replace("page.html", "new");
    expect_body(*site, "GET /", "new");
    expect_body(*site, "GET /page.html", "new");
    tree.remove("page.html");
    expect_status(*site, "GET /", 404);
    tree.write("page.html", "back");
    expect_body(*site, "GET /", "back");
}

TEST_F(SiteOneFile, MayHaveAnotherNameOrAHiddenOne) {
    tree.write(".profile", "hidden");
    EXPECT_EQ(ask(*open({.file = ".profile"}), "GET /.profile").body, "hidden");
    const auto renamed = open({.file = "page.html", .file_name = "latest"});
    EXPECT_EQ(ask(*renamed, "GET /latest").body, "0123456789");
    EXPECT_EQ(ask(*renamed, "GET /page.html").status, 404u);
}

TEST_F(SiteOneFile, MustBeThereAtTheStart) {
    for (const char* const name : {"nothing", "sub", "..", "/etc/passwd", "../x"}) {
        const auto site = Site::open({.root = tree.string(), .file = name});
        ASSERT_FALSE(site) << name;
        EXPECT_NE(site.error().find(name), std::string::npos) << site.error();
    }
}

}  // namespace
}  // namespace weir::site

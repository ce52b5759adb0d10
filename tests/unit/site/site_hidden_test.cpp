#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteHidden : public SiteTest {
   protected:
    unsigned status(Site& site, const std::string& path) { return ask(site, "GET " + path).status; }
};

TEST_F(SiteHidden, WhatMatchesIsNotFound) {
    for (const char* const name : {"a.bak", "sub/B.BAK", "a.txt", "drafts/a.txt", "drafts.txt",
                                   "sub/drafts/a.txt", "notes/x.tmp", "notes/sub/x.tmp"})
        tree.write(name, "x");
    const auto site = open({.listing = true, .hidden = {"*.bak", "/Drafts/**", "/notes/*.tmp"}});
    for (const char* const path : {"/a.bak", "/sub/B.BAK", "/%61.bak", "/sub/../a.bak", "/drafts",
                                   "/drafts/", "/drafts/a.txt", "/DRAFTS/a.txt", "/notes/x.tmp"})
        EXPECT_EQ(status(*site, path), 404u) << path;
    for (const char* const path :
         {"/a.txt", "/drafts.txt", "/sub/drafts/a.txt", "/notes/sub/x.tmp", "/", "/sub/"})
        EXPECT_EQ(status(*site, path), 200u) << path;
}

TEST_F(SiteHidden, ListingsDoNotShowIt) {
    for (const char* const name : {"a.bak", "a.txt", "drafts/a.txt", "README.md"})
        tree.write(name, "some text");
    const auto site = open({.listing = true, .hidden = {"*.bak", "/drafts", "*.md"}});
    const std::string page = ask(*site, "GET /").body;
    EXPECT_TRUE(page.contains("a.txt"));
    for (const char* const name : {"a.bak", "drafts", "README.md", "some text"})
        EXPECT_FALSE(page.contains(name)) << name;
}

TEST_F(SiteHidden, ItStandsForNothingElse) {
    for (const char* const name : {"index.html", "sub/index.html", "404.html", "about.html"})
        tree.write(name, "the page");
    tree.write("a.js", "plain");
    tree.write("a.js.gz", "coded");
    const auto site =
        open({.clean_urls = true, .hidden = {"index.html", "404.html", "about.html", "*.gz"}});
    for (const char* const path : {"/", "/sub/", "/about", "/none"}) {
        const auto answer = ask(*site, std::string{"GET "} + path);
        EXPECT_EQ(answer.status, 404u) << path;
        EXPECT_FALSE(answer.body.contains("the page")) << path;
    }
    EXPECT_EQ(ask(*site, "GET /a.js", {"Accept-Encoding: gzip"}).body, "plain");
}

TEST_F(SiteHidden, APatternThatCanNeverMatchIsRefused) {
    EXPECT_FALSE(Site::open({.root = tree.string(), .hidden = {"a/b"}}).has_value());
}

}  // namespace
}  // namespace weir::site

#include "access/request/request_path.h"

#include <gtest/gtest.h>

namespace weir::access {
namespace {

bool contains(std::string_view glob, std::string_view target, const site::Options& site = {}) {
    return Paths{glob}.contain(names_behind(target, Addresses{site}));
}

TEST(Paths, AreReadAsASiteReadsThem) {
    for (const char* const target :
         {"/private", "/private/", "/private/a.txt", "//private//a.txt", "/./private/a.txt",
          "/x/../private/a.txt", "/%70rivate/a.txt", "/PRIVATE/a.txt", "/%50rivate/a/b/c"})
        for (const char* const glob : {"/private", "/private/", "/private/**", "/Private",
                                       "private", "/priv*", "/p?ivate/**", "/"})
            EXPECT_TRUE(contains(glob, target)) << glob << ' ' << target;
    for (const char* const target : {"/", "/public", "/privates", "/a/private", "/private.txt"})
        EXPECT_FALSE(contains("/private", target)) << target;
}

TEST(Paths, ThatCannotBeReadAreAmongAll) {
    for (const char* const target : {"/private%2fa.txt", "/%zz", "/..", "/../private", "*", "/%00"})
        EXPECT_TRUE(contains("/private", target)) << target;
}

TEST(Paths, AFileHasItsOtherAddresses) {
    EXPECT_TRUE(contains("*.pdf", "/a/b.pdf"));
    EXPECT_TRUE(contains("*.pdf", "/a/b.PDF.gz"));
    EXPECT_TRUE(contains("/a/b.js", "/a/b.js.br"));
    EXPECT_TRUE(contains("/a/b.js", "/a/b.js.zst.gz"));
    EXPECT_FALSE(contains("/a/b.js", "/a/b.js.txt"));
    EXPECT_TRUE(contains("/a/index.html", "/a/"));
    EXPECT_FALSE(contains("/a/index.html", "/a/b.html"));
    EXPECT_TRUE(contains("/a/start.htm", "/a/", {.index_names = {"x.html", "start.htm"}}));
    EXPECT_TRUE(contains("*.md", "/docs/")) << "a listing shows README.md";
    EXPECT_FALSE(contains("*.md", "/docs/a.txt"));
}

TEST(Paths, APageHasItsOtherAddressesWithCleanUrls) {
    const site::Options site{.clean_urls = true};
    for (const char* const target : {"/about", "/about/", "/about.html", "/about.html.gz"})
        for (const char* const glob : {"/about.html", "/about"})
            EXPECT_TRUE(contains(glob, target, site)) << glob << ' ' << target;
    EXPECT_FALSE(contains("/about.html", "/about"));
}

TEST(Paths, EachPathMayBeThePageOfAnApplication) {
    EXPECT_TRUE(contains("/index.html", "/users/7", {.spa_fallback = true}));
    EXPECT_FALSE(contains("/index.html", "/users/7"));
    EXPECT_FALSE(contains("/admin", "/users/7", {.spa_fallback = true}));
}

TEST(Paths, OfOneFileAreAllItsOwn) {
    EXPECT_TRUE(contains("*.pdf", "/", {.file = "Report.pdf"}));
    EXPECT_TRUE(contains("/name", "/", {.file = "Report.pdf", .file_name = "name"}));
}

TEST(Paths, OfTwoTheMoreSpecialIsKnown) {
    EXPECT_GT(Paths{"/private/x"}.rank(), Paths{"/private"}.rank());
    EXPECT_GT(Paths{"/private/**"}.rank(), Paths{"*.private.text"}.rank());
    EXPECT_GT(Paths{"*.pdf"}.rank(), Paths{}.rank());
    EXPECT_TRUE(Paths{"/**"}.contain_all());
    EXPECT_FALSE(Paths{"*.pdf"}.contain_all());
}

TEST(Paths, WhatIsNoGlobIsRefused) {
    EXPECT_EQ(Paths::refusal("/a/*.pdf"), "");
    EXPECT_NE(Paths::refusal("a/b"), "");
}

}  // namespace
}  // namespace weir::access

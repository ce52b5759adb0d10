#include "access/beneath.h"

#include <gtest/gtest.h>

namespace weir::access {
namespace {

TEST(Beneath, KeepsBackWhatAnotherRuleIsFor) {
    const Beneath beneath{{}, {"/private", "*.pdf", "/a/deep/**"}, {}};
    EXPECT_TRUE(beneath.keeps_back("", "private"));
    EXPECT_TRUE(beneath.keeps_back("", "Private/x/y.txt"));
    EXPECT_TRUE(beneath.keeps_back("a", "a/b/c.PDF"));
    EXPECT_TRUE(beneath.keeps_back("a", "a/deep/x"));
    EXPECT_FALSE(beneath.keeps_back("", "public/x"));
    EXPECT_FALSE(beneath.keeps_back("private", "private/x.txt"));
    EXPECT_FALSE(beneath.keeps_back("private/x", "private/x/y.txt"));
    EXPECT_TRUE(beneath.keeps_back("private", "private/x.pdf"));
}

TEST(Beneath, ARuleForAllLetsInToAll) {
    const Beneath beneath{{}, {""}, {}};
    EXPECT_FALSE(beneath.keeps_back("", "x"));
    EXPECT_FALSE(beneath.keeps_nothing());
}

TEST(Beneath, ARuleForAPageOfTheFolderIsNoneForTheFolder) {
    const Beneath beneath{{}, {"/a/index.html", "*.html"}, {}};
    EXPECT_TRUE(beneath.keeps_back("a", "a/other.html"));
    EXPECT_TRUE(beneath.keeps_back("a", "a/index.html"));
}

TEST(Beneath, KnowsTheOtherNamesOfAFile) {
    site::Options site;
    site.clean_urls = true;
    const Beneath beneath{site, {"/page", "/a.js"}, {}};
    EXPECT_TRUE(beneath.keeps_back("", "page.html"));
    EXPECT_TRUE(beneath.keeps_back("", "a.js.gz"));
}

TEST(Beneath, ALinkForOnePathLetsInToNoOther) {
    const Beneath beneath{{}, {}, {"/shared"}};
    EXPECT_TRUE(beneath.keeps_back("shared", "shared/x"));
    EXPECT_FALSE(beneath.keeps_back("", "x"));
    EXPECT_TRUE((Beneath{{}, {}, {}}).keeps_nothing());
}

}  // namespace
}  // namespace weir::access

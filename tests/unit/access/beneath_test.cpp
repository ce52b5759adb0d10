#include "access/beneath.h"

#include <gtest/gtest.h>

namespace weir::access {
namespace {

bool keeps_back(const Beneath& beneath, std::string_view folder, std::string_view path) {
    const std::string asked = folder.empty() ? "/" : "/" + std::string{folder} + "/";
    return beneath.keeps_back({.folder = folder, .asked = asked, .path = path});
}

TEST(Beneath, KeepsBackWhatAnotherRuleIsFor) {
    const Beneath beneath{{}, {{"/private", "*.pdf", "/a/deep/**"}}, {}};
    EXPECT_TRUE(keeps_back(beneath, "", "private"));
    EXPECT_TRUE(keeps_back(beneath, "", "Private/x/y.txt"));
    EXPECT_TRUE(keeps_back(beneath, "a", "a/b/c.PDF"));
    EXPECT_TRUE(keeps_back(beneath, "a", "a/deep/x"));
    EXPECT_FALSE(keeps_back(beneath, "", "public/x"));
    EXPECT_FALSE(keeps_back(beneath, "private", "private/x.txt"));
    EXPECT_FALSE(keeps_back(beneath, "private/x", "private/x/y.txt"));
    EXPECT_TRUE(keeps_back(beneath, "private", "private/x.pdf"));
}

TEST(Beneath, ARuleForAllLetsInToAll) {
    const Beneath beneath{{}, {{""}}, {}};
    EXPECT_FALSE(keeps_back(beneath, "", "x"));
    EXPECT_FALSE(beneath.keeps_nothing());
}

// The handlers choose the rule for the page, which is closer, where the folder is asked for.
TEST(Beneath, ARuleForAPageOfTheFolderIsNoneForTheOthers) {
    const Beneath beneath{{}, {{"/a", "/a/index.html"}}, {}};
    EXPECT_TRUE(keeps_back(beneath, "a", "a/secret.txt"));
    EXPECT_TRUE(keeps_back(beneath, "a", "a/b/secret.txt"));
    EXPECT_FALSE(keeps_back(beneath, "a", "a/index.html"));
    EXPECT_FALSE(keeps_back(beneath, "a/b", "a/b/secret.txt"));
}

TEST(Beneath, AFileWithoutRulesIsForAll) {
    const Beneath beneath{{}, {{"*.html"}}, {}};
    EXPECT_FALSE(keeps_back(beneath, "", "x.txt"));
    EXPECT_FALSE(keeps_back(beneath, "", "other.html"));  // the folder was judged by this rule
}

TEST(Beneath, RulesOfOneKindTakeNoPlaceOfAnother) {
    const Beneath beneath{{}, {{""}, {"/index.html"}}, {}};
    EXPECT_FALSE(keeps_back(beneath, "", "x.txt"));
}

TEST(Beneath, RulesAreAlsoForThePathThatIsAskedFor) {
    const Beneath beneath{{}, {{"/docs/private"}}, {"/docs/shared"}};
    EXPECT_TRUE(beneath.keeps_back({.folder = "", .asked = "/docs/", .path = "private/x"}));
    EXPECT_TRUE(beneath.keeps_back({.folder = "", .asked = "/docs/", .path = "shared/x"}));
    EXPECT_TRUE(beneath.keeps_back({.folder = "a", .asked = "/docs", .path = "a/private/x"}));
    EXPECT_FALSE(beneath.keeps_back({.folder = "", .asked = "/docs/", .path = "public/x"}));
    EXPECT_FALSE(
        beneath.keeps_back({.folder = "private", .asked = "/docs/private/", .path = "private/x"}));
}

TEST(Beneath, ARuleForARewrittenPathLetsInToNothingElse) {
    const Beneath beneath{{}, {{"/private", "/entrance-for-guests/index.html"}}, {}};
    EXPECT_TRUE(beneath.keeps_back(
        {.folder = "private", .asked = "/entrance-for-guests/", .path = "private/x"}));
}

TEST(Beneath, KnowsTheOtherNamesOfAFile) {
    site::Options site;
    site.clean_urls = true;
    const Beneath beneath{site, {{"/page", "/a.js"}}, {}};
    EXPECT_TRUE(keeps_back(beneath, "", "page.html"));
    EXPECT_TRUE(keeps_back(beneath, "", "a.js.gz"));
}

TEST(Beneath, ALinkForOnePathLetsInToNoOther) {
    const Beneath beneath{{}, {}, {"/shared"}};
    EXPECT_TRUE(keeps_back(beneath, "shared", "shared/x"));
    EXPECT_FALSE(keeps_back(beneath, "", "x"));
    EXPECT_TRUE((Beneath{{}, {{}, {}}, {}}).keeps_nothing());
}

}  // namespace
}  // namespace weir::access

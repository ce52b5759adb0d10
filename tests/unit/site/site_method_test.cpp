#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteMethods : public SiteTest {
   protected:
    void SetUp() override { tree.write("a.txt", "text"); }
};

TEST_F(SiteMethods, HeadAnswersAsGet) {
    const auto site = open();
    const auto get = settled(*site, "GET /a.txt");
    const auto head = ask(*site, "HEAD /a.txt");
    EXPECT_EQ(head.status, 200u);
    EXPECT_EQ(head.fields, get.fields);
}

TEST_F(SiteMethods, OptionsSaysWhatIsAllowed) {
    const auto site = open();
    for (const auto* const target : {"OPTIONS /a.txt", "OPTIONS *"}) {
        const auto answer = ask(*site, target);
        EXPECT_EQ(answer.status, 204u) << target;
        EXPECT_EQ(answer.field("Allow"), "GET, HEAD, OPTIONS") << target;
        EXPECT_EQ(answer.body, "");
    }
}

TEST_F(SiteMethods, OthersAre405WithAllow) {
    const auto site = open();
    for (const auto* const line : {"POST /a.txt", "PUT /a.txt", "DELETE /a.txt", "PATCH /a.txt",
                                   "TRACE /a.txt", "CONNECT www.example.org:443"}) {
        const auto answer = ask(*site, line);
        EXPECT_EQ(answer.status, 405u) << line;
        EXPECT_EQ(answer.field("Allow"), "GET, HEAD, OPTIONS") << line;
    }
}

TEST_F(SiteMethods, UnknownOnesAre501) {
    const auto site = open();
    EXPECT_EQ(ask(*site, "PROPFIND /a.txt").status, 501u);
    EXPECT_EQ(ask(*site, "get /a.txt").status, 501u) << "methods have case";
}

TEST_F(SiteMethods, ContentThatNobodyReadsIsLeftToTheCore) {
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /a.txt", {"Content-Length: 5"}).body, "text");
    EXPECT_EQ(ask(*site, "POST /a.txt", {"Transfer-Encoding: chunked"}).status, 405u);
}

TEST_F(SiteMethods, WrongOptionsAreRefusedWithASentence) {
    const auto opened = [&](Options options) {
        if (options.root == ".") options.root = tree.string();
        return Site::open(std::move(options)).has_value();
    };
    EXPECT_TRUE(opened({}));
    EXPECT_FALSE(opened({.root = tree.at("missing").string()}));
    EXPECT_FALSE(opened({.index_names = {"a/b.html"}}));
    EXPECT_FALSE(opened({.index_names = {""}}));
    EXPECT_FALSE(opened({.fields = {{.name = "Date", .value = "x"}}}));
}

}  // namespace
}  // namespace weir::site

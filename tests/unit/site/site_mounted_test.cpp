// A site below a prefix of its router: links and redirects lead back to it.

#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SiteMounted : public SiteTest {
   protected:
    void SetUp() override { tree.write("files/a b.txt", "text"); }

    static TestAnswer get_below(http::Handler& site, const std::string& prefix,
                                const std::string& path,
                                const std::vector<std::string>& fields = {}) {
        const TestRequest request{"GET " + prefix + path, fields};
        request.get().mount(static_cast<std::uint32_t>(prefix.size()));
        return read_reply(site.handle(request.get()));
    }
};

TEST_F(SiteMounted, FindsWhatFollowsThePrefix) {
    EXPECT_EQ(get_below(*open(), "/docs", "/files/a%20b.txt").body, "text");
}

TEST_F(SiteMounted, RedirectsBelowThePrefix) {
    EXPECT_EQ(get_below(*open({.listing = true}), "/my%20docs", "/files?x").field("Location"),
              "./files/?x");
    EXPECT_EQ(get_below(*open({.listing = true}), "/my%20docs", "//files?x").field("Location"),
              "/my%20docs/files/?x")
        << "a client would count the empty segment";
}

TEST_F(SiteMounted, ListsLinksBelowThePrefix) {
    const auto site = open({.listing = true});
    const auto page = get_below(*site, "/docs", "/files/");
    for (const char* const link : {"\"../\"", "\"./\"", "\"./a%20b.txt\""})
        EXPECT_NE(page.body.find(link), std::string::npos) << link << page.body;
    const auto json = get_below(*site, "/docs", "/files/", {"Accept: application/json"});
    EXPECT_NE(json.body.find("\"./a%20b.txt\""), std::string::npos) << json.body;
    const auto doubled = get_below(*site, "/docs", "//files/");
    for (const char* const link : {"\"/docs/\"", "\"/docs/files/\"", "\"/docs/files/a%20b.txt\""})
        EXPECT_NE(doubled.body.find(link), std::string::npos) << link << doubled.body;
}

TEST_F(SiteMounted, ErrorPagesLeadOutBelowThePrefix) {
    const auto site = open();
    const auto page = get_below(*site, "/docs", "/files/sub/nothing").body;
    for (const char* const link : {"<a href=\"./\">Up</a>", "<a href=\"../../\">Home</a>"})
        EXPECT_NE(page.find(link), std::string::npos) << link << page;
    const auto doubled = get_below(*site, "/docs", "/files//sub/nothing").body;
    for (const char* const link :
         {"<a href=\"/docs/files/sub/\">Up</a>", "<a href=\"/docs/\">Home</a>"})
        EXPECT_NE(doubled.find(link), std::string::npos) << link << doubled;
    EXPECT_EQ(get_below(*site, "/docs", "/").body.find("<a "), std::string::npos);
}

}  // namespace
}  // namespace weir::site

#include <filesystem>

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

TEST_F(SiteListing, AFolderWithoutOneSaysHowToGetOne) {
    const auto site = open({.listing_hint = "Ask for a <listing>"});
    const auto answer = ask(*site, "GET /files/");
    EXPECT_EQ(answer.status, 404u);
    EXPECT_NE(answer.body.find("<p>Ask for a &lt;listing&gt;.</p>"), std::string::npos);
    for (const char* const elsewhere : {"GET /nothing/", "GET /nothing", "GET /files/a.txt/"})
        EXPECT_EQ(ask(*site, elsewhere).body.find("Ask for"), std::string::npos) << elsewhere;
    EXPECT_EQ(ask(*open({.listing = true, .listing_hint = "Ask"}), "GET /files/").status, 200u);
}

TEST_F(SiteListing, TheSitesOwnPageGoesBeforeTheHint) {
    tree.write("404.html", "own");
    EXPECT_EQ(ask(*open({.listing_hint = "Ask"}), "GET /files/").body, "own");
}

TEST_F(SiteListing, AFolderWithoutOneMayBeARoute) {
    tree.write("index.html", "application");
    EXPECT_EQ(ask(*open({.listing_hint = "Ask", .spa_fallback = true}), "GET /files/").body,
              "application");
}

TEST_F(SiteListing, IsSortedAsTheQuerySays) {
    tree.write("files/b.txt", "longer text");
    const auto site = open({.listing = true});
    const auto first_is_b = [&](const std::string& line, const std::vector<std::string>& fields) {
        const std::string body = ask(*site, line, fields).body;
        return body.find("b.txt") < body.find("a.txt");
    };
    for (const auto& fields : {std::vector<std::string>{}, {"Accept: application/json"}}) {
        EXPECT_FALSE(first_is_b("GET /files/", fields));
        EXPECT_FALSE(first_is_b("GET /files/?sort=size", fields));
        EXPECT_TRUE(first_is_b("GET /files/?sort=size&order=desc", fields));
    }
}

TEST_F(SiteListing, ShowsAReadmeBelow) {
    tree.write("files/ReadMe.md", "# Read <me>");
    const auto site = open({.listing = true});
    const auto page = ask(*site, "GET /files/");
    EXPECT_NE(page.body.find("<pre>\n# Read &lt;me&gt;</pre>"), std::string::npos);
    EXPECT_EQ(ask(*site, "GET /files/", {"Accept: application/json"}).body.find("Read <"),
              std::string::npos);
}

TEST_F(SiteListing, ALargeFolderIsReadInPieces) {
    tree.write("large/f0", "");
    for (int i = 1; i < 4'100; ++i)
        std::filesystem::create_hard_link(tree.at("large/f0"),
                                          tree.at("large/f" + std::to_string(i)));
    const auto site = open({.listing = true, .fields = {{.name = "X-Own", .value = "yes"}}});
    const TestRequest request{"GET /large/?page=5", {"Accept: application/json"}};
    auto reply = site->handle(request.get());
    ASSERT_TRUE(std::holds_alternative<http::Later>(reply)) << "others are served meanwhile";
    EXPECT_GT(std::get<http::Later>(reply).continuation->bytes(),
              4'100 * std::string{"f1000"}.size());
    const auto answer = read_reply(std::move(reply));
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("X-Own"), "yes");
    EXPECT_NE(answer.body.find("{\"name\":\"f4000\""), std::string::npos);
    EXPECT_NE(answer.body.find("{\"name\":\"f4099\""), std::string::npos);
    EXPECT_EQ(answer.body.find("{\"name\":\"f3999\""), std::string::npos);
    EXPECT_EQ(ask(*site, "GET /large/?page=6").status, 404u);
    tree.write("large/f3999.5", "");
    EXPECT_NE(ask(*site, "GET /large/?page=5").body.find("f3999.5"), std::string::npos)
        << "what is kept is never old";
}

TEST_F(SiteListing, LeadsToItsPages) {
    tree.write("files/b.txt", "x");
    const auto site = open({.listing = true, .listing_entries_max = 1});
    const auto first = ask(*site, "GET /files/");
    EXPECT_EQ(first.field("Link"), "<?page=2>; rel=\"next\", <?page=2>; rel=\"last\"");
    EXPECT_EQ(ask(*site, "GET /files/?page=1").body, first.body);
    EXPECT_EQ(ask(*site, "GET /files/?sort=size&order=desc&page=2").field("Link"),
              "<?sort=size&order=desc&page=1>; rel=\"first\", "
              "<?sort=size&order=desc&page=1>; rel=\"prev\"");
    for (const char* const none : {"3", "0", "-1", "x", "", "18446744073709551617"})
        EXPECT_EQ(ask(*site, std::string{"GET /files/?page="} + none).status, 404u) << none;
    EXPECT_FALSE(ask(*open({.listing = true}), "GET /files/").field("Link"));
}

TEST_F(SiteListing, APage) {
    const auto site = open({.listing = true});
    const auto answer = ask(*site, "GET /files/");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(answer.field("Vary"), "Accept");
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
    EXPECT_NE(answer.body.find("<bdi>a.txt</bdi></a>"), std::string::npos);
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

TEST_F(SiteListing, IsSentAgainOnlyIfItHasChanged) {
    const auto site = open({.listing = true});
    const auto page = ask(*site, "GET /files/");
    const std::string tag = page.field("ETag").value_or("none");
    const auto same = ask(*site, "GET /files/", {"If-None-Match: " + tag});
    EXPECT_EQ(same.status, 304u);
    EXPECT_EQ(same.body, "");
    EXPECT_EQ(same.field("ETag"), tag);
    EXPECT_EQ(same.field("Vary"), "Accept");
    EXPECT_FALSE(same.field("Content-Type"));
    EXPECT_EQ(same.field("Cache-Control"), page.field("Cache-Control"));
    for (const char* const other : {"GET /files/?sort=size", "GET /"})
        EXPECT_EQ(ask(*site, other, {"If-None-Match: " + tag}).status, 200u) << other;
    EXPECT_EQ(
        ask(*site, "GET /files/", {"If-None-Match: " + tag, "Accept: application/json"}).status,
        200u);
    EXPECT_EQ(ask(*site, "HEAD /files/", {"If-None-Match: *"}).status, 304u);
    tree.write("files/b.txt", "x");
    EXPECT_EQ(ask(*site, "GET /files/", {"If-None-Match: " + tag}).status, 200u);
}

TEST_F(SiteListing, OfAnotherStateFailsAPrecondition) {
    const auto site = open({.listing = true});
    const std::string tag = ask(*site, "GET /files/").field("ETag").value_or("none");
    EXPECT_EQ(ask(*site, "GET /files/", {"If-Match: " + tag}).status, 200u);
    EXPECT_EQ(ask(*site, "GET /files/", {"If-Match: *"}).status, 200u);
    EXPECT_EQ(ask(*site, "GET /files/", {"If-Match: \"other\""}).status, 412u);
    EXPECT_EQ(ask(*site, "GET /files/", {"If-Match: W/" + tag}).status, 412u);
}

TEST_F(SiteListing, ThatHasNotChangedHasTheFieldsOfItsRules) {
    const auto site = open({.listing = true,
                            .fields = {{.media_type = "text/html",
                                        .name = "Cache-Control",
                                        .value = "max-age=5",
                                        .delivered_only = true}}});
    const auto same = ask(*site, "GET /files/", {"If-None-Match: *"});
    EXPECT_EQ(same.status, 304u);
    EXPECT_EQ(same.field("Cache-Control"), "max-age=5");
    EXPECT_FALSE(same.field("Content-Type"));
}

TEST_F(SiteListing, RulesCount) {
    const auto site =
        open({.listing = true, .fields = {{.glob = "/files/**", .name = "X-Own", .value = "yes"}}});
    EXPECT_EQ(ask(*site, "GET /files/").field("X-Own"), "yes");
    EXPECT_EQ(ask(*site, "GET /files/a.txt").field("X-Own"), "yes");
}

}  // namespace
}  // namespace weir::site

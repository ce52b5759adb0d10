#include <fcntl.h>

#include <vector>

#include "net/unique_fd.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SitePaths : public SiteTest {
   protected:
    void SetUp() override {
        tree.write("index.html", "root");
        tree.write("docs/index.html", "docs");
        tree.write("docs/a.txt", "text");
        tree.write("empty/x.txt", "x");
    }
};

TEST_F(SitePaths, AFileIsServed) {
    const auto site = open();
    const auto answer = ask(*site, "GET /docs/a.txt");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.body, "text");
    EXPECT_EQ(answer.field("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.field("Accept-Ranges"), "bytes");
    EXPECT_TRUE(answer.field("ETag"));
    EXPECT_TRUE(answer.field("Last-Modified"));
    EXPECT_FALSE(answer.field("Vary"));
}

TEST_F(SitePaths, ACachedPathIsNotTakenForAnother) {
    tree.write("a%41", "percent");
    tree.write("aA", "letter");
    const auto site = open();
    EXPECT_EQ(settled(*site, "GET /a%2541").body, "percent");
    EXPECT_EQ(ask(*site, "GET /a%41").body, "letter");
    EXPECT_EQ(settled(*site, "GET /aA").body, "letter");
    EXPECT_EQ(ask(*site, "GET /a%2541").body, "percent");
}

TEST_F(SitePaths, TwoSitesKeepTheirFilesApart) {
    const TemporaryTree other;
    other.write("index.html", "other root");
    const auto site = open();
    const auto second = *Site::open({.root = other.string()});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(settled(*site, "GET /index.html").body, "root");
        EXPECT_EQ(settled(*second, "GET /index.html").body, "other root");
    }
}

TEST_F(SitePaths, AQueryChangesNothing) {
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /docs/a.txt?v=1&x=/../..").body, "text");
}

TEST_F(SitePaths, AnIndexStandsForItsDirectory) {
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /").body, "root");
    EXPECT_EQ(ask(*site, "GET /docs/").body, "docs");
    EXPECT_EQ(ask(*site, "GET /empty/").status, 404u);
}

TEST_F(SitePaths, TheFirstIndexThatIsThere) {
    tree.write("two/b.html", "b");
    tree.directory("two/a.html");
    const auto site = open({.index_names = {"a.html", "b.html"}});
    EXPECT_EQ(ask(*site, "GET /two/").body, "b");
    tree.remove("two/a.html");
    tree.write("two/a.html", "a");
    expect_body(*site, "GET /two/", "a");
}

TEST_F(SitePaths, ADirectoryWithoutItsSlashIsRedirected) {
    const auto site = open();
    const auto answer = ask(*site, "GET /docs");
    EXPECT_EQ(answer.status, 301u);
    EXPECT_EQ(answer.field("Location"), "./docs/");
    EXPECT_EQ(ask(*site, "GET /docs?a=1&b=%2f").field("Location"), "./docs/?a=1&b=%2f");
}

TEST_F(SitePaths, ARedirectNeverLeavesTheHost) {
    tree.directory("evil.example/x");
    tree.directory("\\evil.example");
    tree.directory("a b\"<>");
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET //evil.example").field("Location"), "/evil.example/");
    EXPECT_EQ(ask(*site, "GET //evil.example/x").field("Location"), "/evil.example/x/");
    EXPECT_EQ(ask(*site, "GET ///evil.example//x").field("Location"), "/evil.example/x/");
    EXPECT_EQ(ask(*site, "GET /docs/..//evil.example").field("Location"), "/evil.example/");
    EXPECT_EQ(ask(*site, "GET /%5Cevil.example").field("Location"), "./%5Cevil.example/");
    EXPECT_EQ(ask(*site, "GET /a%20b%22%3C%3E").field("Location"), "./a%20b%22%3C%3E/");
    EXPECT_EQ(ask(*site, "GET http://evil.example/docs").field("Location"), "./docs/");
}

TEST_F(SitePaths, NothingOutsideTheRootIsServed) {
    const TemporaryTree outside;
    outside.write("secret.txt", "secret");
    tree.link("link.txt", outside.at("secret.txt"));
    tree.link("dir", outside.string());
    tree.link("docs/index2.html", "../../../../../../etc/passwd");
    const auto site = open();
    const std::string name = outside.at("secret.txt").string();
    for (const std::string& path :
         {std::string{"/link.txt"}, std::string{"/dir/secret.txt"}, std::string{"/dir"},
          std::string{"/docs/index2.html"}, "/.." + name, "/docs/../.." + name, "/%2e%2e" + name,
          "/..%2f.." + name, "/..%5c.." + name, "/docs/%2e%2e/%2e%2e" + name, "/" + name,
          std::string{"/proc/self/environ"}}) {
        const auto answer = ask(*site, "GET " + path);
        EXPECT_EQ(answer.status, 404u) << path;
        EXPECT_EQ(answer.body.find("secret\n"), std::string::npos);
    }
    EXPECT_EQ(ask(*site, "GET /docs/a.txt%00.html").status, 400u);
    EXPECT_EQ(ask(*site, "GET /%zz").status, 400u);
}

TEST_F(SitePaths, LinksInsideTheRootAreFollowedUnlessUnwanted) {
    tree.link("here", "docs/a.txt");
    tree.link("there", "docs");
    EXPECT_EQ(ask(*open(), "GET /here").body, "text");
    EXPECT_EQ(ask(*open(), "GET /there/a.txt").body, "text");
    const auto strict = open({.symlinks = Symlinks::none});
    EXPECT_EQ(ask(*strict, "GET /here").status, 404u);
    EXPECT_EQ(ask(*strict, "GET /there/a.txt").status, 404u);
    EXPECT_EQ(ask(*strict, "GET /docs/a.txt").status, 200u);
}

TEST_F(SitePaths, DotfilesAreHiddenUnlessAskedFor) {
    tree.write(".env", "PASSWORD");
    tree.write(".git/config", "x");
    tree.write("docs/.htaccess", "x");
    tree.write(".well-known/security.txt", "Contact");
    const auto site = open({.spa_fallback = true});
    for (const auto* const path : {"/.env", "/.git/config", "/docs/.htaccess", "/.git", "/%2eenv"})
        EXPECT_EQ(ask(*site, std::string{"GET "} + path).status, 404u) << path;
    EXPECT_EQ(ask(*site, "GET /.well-known/security.txt").body, "Contact");
    EXPECT_EQ(ask(*open({.dotfiles = true}), "GET /.env").body, "PASSWORD");
}

TEST_F(SitePaths, TooLongANameIsNotFound) {
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /" + std::string(256, 'x')).status, 404u);
    EXPECT_EQ(ask(*site, "GET /" + std::string(5000, 'x')).status, 404u);
    std::string deep = "GET ";
    for (int i = 0; i < 2500; ++i) deep += "/d";
    EXPECT_EQ(ask(*site, deep).status, 404u) << "past PATH_MAX";
}

TEST_F(SitePaths, BelowAFileNothingIsFound) {
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /docs/a.txt/").status, 404u);
    EXPECT_EQ(ask(*site, "GET /docs/a.txt/b").status, 404u);
}

TEST_F(SitePaths, FifosSocketsAndDevicesAreNotFoundAndNothingBlocks) {
    ASSERT_EQ(::mkfifo(tree.at("fifo.html").c_str(), 0666), 0);
    ASSERT_EQ(::mkfifo(tree.at("empty/index.html").c_str(), 0666), 0);
    tree.link("null", "/dev/null");
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /fifo.html").status, 404u);
    EXPECT_EQ(ask(*site, "GET /empty/").status, 404u);
    EXPECT_EQ(ask(*site, "GET /null").status, 404u);
}

TEST_F(SitePaths, AFifoAsASidecarOrAnErrorPageIsPassedOver) {
    ASSERT_EQ(::mkfifo(tree.at("docs/a.txt.gz").c_str(), 0666), 0);
    ASSERT_EQ(::mkfifo(tree.at("404.html").c_str(), 0666), 0);
    const auto site = open();
    const auto answer = ask(*site, "GET /docs/a.txt", {"Accept-Encoding: gzip"});
    EXPECT_EQ(answer.body, "text");
    EXPECT_FALSE(answer.field("Content-Encoding"));
    EXPECT_EQ(ask(*site, "GET /missing").status, 404u);
}

TEST_F(SitePaths, WhatMayNotBeReadIsForbidden) {
    ASSERT_EQ(::chmod(tree.string().c_str(), 0755), 0);
    ASSERT_EQ(::chmod(tree.at("docs/a.txt").c_str(), 0), 0);
    EXPECT_TRUE(in_child([&] {
        constexpr uid_t nobody = 65534;  // root may read every file, so run as another user
        if (::geteuid() == 0 && ::setuid(nobody) != 0) return false;
        const auto site = open();
        return ask(*site, "GET /docs/a.txt").status == 403 &&
               ask(*site, "GET /docs/").status == 200;
    }));
}

TEST_F(SitePaths, TheSpaFallbackAnswersRoutesOnly) {
    const auto site = open({.spa_fallback = true});
    const auto route = ask(*site, "GET /users/7");
    EXPECT_EQ(route.status, 200u);
    EXPECT_EQ(route.body, "root");
    EXPECT_EQ(route.field("Cache-Control"), "no-cache");
    EXPECT_EQ(ask(*site, "GET /users/").body, "root");
    EXPECT_EQ(ask(*site, "GET /app.missing.js").status, 404u);
    EXPECT_EQ(ask(*site, "GET /docs/a.txt").body, "text");
    EXPECT_EQ(ask(*open(), "GET /users/7").status, 404u) << "off unless asked for";
}

constexpr const char* navigation =
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

TEST_F(SitePaths, TheSpaFallbackAnswersNavigationsToPathsWithADot) {
    const auto site = open({.spa_fallback = true});
    for (const char* const path : {"/user/jane.doe", "/docs/v1.2", "/user/jane@example.com", "/a.",
                                   "/user/j.r.r.tolkien", "/user/jane.doe?tab=1"}) {
        const auto answer = ask(*site, "GET " + std::string{path}, {navigation});
        EXPECT_EQ(answer.status, 200u) << path;
        EXPECT_EQ(answer.body, "root") << path;
        EXPECT_EQ(answer.field("Cache-Control"), "no-cache") << path;
        EXPECT_EQ(answer.field("Vary"), "Accept") << path;
    }
    EXPECT_EQ(ask(*site, "HEAD /user/jane.doe", {navigation}).status, 200u);
    EXPECT_EQ(ask(*site, "GET /user/jane.doe", {"Accept: text/html"}).status, 200u);
    EXPECT_EQ(ask(*open(), "GET /user/jane.doe", {navigation}).status, 404u);
}

TEST_F(SitePaths, TheSpaFallbackIsNoAssetAndForNavigationsAlone) {
    const auto site = open({.spa_fallback = true,
                            .media_types = {{.glob = "*.doe", .media_type = "model/doe"},
                                            {.glob = "/v/**", .media_type = "text/plain"}}});
    for (const char* const path :
         {"/missing.js", "/missing.MJS", "/a/missing.css", "/x.min.js", "/jane.doe",
          "/missing.html", "/missing.json", "/missing.csv", "/missing.MD", "/a/missing.yaml"})
        EXPECT_EQ(ask(*site, "GET " + std::string{path}, {navigation}).status, 404u) << path;
    EXPECT_EQ(ask(*site, "GET /v/1.2", {navigation}).status, 200u) << "a rule for no extension";
    for (const char* const accept :
         {"X-None: 1", "Accept: */*", "Accept: image/avif,image/webp,*/*;q=0.8",
          "Accept: application/json, text/plain, */*", "Accept: text/html;q=0, */*",
          "Accept: application/json, text/html;q=0.5"}) {
        const auto answer = ask(*site, "GET /user/jane.d", {accept});
        EXPECT_EQ(answer.status, 404u) << accept;
        EXPECT_EQ(answer.field("Vary"), "Accept") << "for caches: it depends on it";
    }
    EXPECT_FALSE(ask(*site, "GET /missing.js", {navigation}).field("Vary"));
}

TEST_F(SitePaths, WhatASpaAnswersDependsOnVariesWithEverythingElse) {
    tree.write("404.html", "not here");
    tree.write("404.html.gz", "packed");
    const auto site = open({.spa_fallback = true, .fields = {{.name = "Vary", .value = "X-A"}}});
    EXPECT_EQ(ask(*site, "GET /user/jane.doe").field("Vary"), "Accept-Encoding, Accept, X-A");
}

TEST_F(SitePaths, TheSpaFallbackReplacesACacheRule) {
    const auto site =
        open({.spa_fallback = true,
              .fields = {{.glob = "*.html", .name = "Cache-Control", .value = "max-age=3600"}}});
    EXPECT_EQ(ask(*site, "GET /route").field("Cache-Control"), "no-cache");
    EXPECT_EQ(ask(*site, "GET /").field("Cache-Control"), "max-age=3600");
}

TEST_F(SitePaths, ErrorPagesAreTheSitesOwn) {
    tree.write("404.html", "not here");
    const auto site = open();
    const auto answer = ask(*site, "GET /missing");
    EXPECT_EQ(answer.status, 404u);
    EXPECT_EQ(answer.body, "not here");
    EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_FALSE(answer.field("ETag")) << "the page is not what was asked for";
    EXPECT_FALSE(answer.field("Last-Modified"));
    EXPECT_EQ(ask(*site, "GET /404.html").status, 200u);
    EXPECT_EQ(ask(*open({.error_pages = false}), "GET /missing").body.find("not here"),
              std::string::npos);
}

TEST_F(SitePaths, ConditionsDoNotTurnAnErrorPageInto304) {
    tree.write("404.html", "not here");
    const auto site = open();
    EXPECT_EQ(ask(*site, "GET /missing", {"If-None-Match: *"}).status, 404u);
    EXPECT_EQ(ask(*site, "GET /missing", {"Range: bytes=0-1"}).status, 404u);
}

TEST_F(SitePaths, AnyStatusMayHaveItsPage) {
    tree.write("405.html", "no");
    const auto answer = ask(*open(), "DELETE /docs/a.txt");
    EXPECT_EQ(answer.status, 405u);
    EXPECT_EQ(answer.body, "no");
    EXPECT_EQ(answer.field("Allow"), "GET, HEAD, OPTIONS");
}

TEST_F(SitePaths, OutOfDescriptorsIs503) {
    const auto site = open();
    std::vector<net::UniqueFd> taken;
    for (;;) {
        net::UniqueFd fd{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
        if (!fd) break;
        taken.push_back(std::move(fd));
    }
    const auto answer = ask(*site, "GET /docs/a.txt");
    taken.clear();
    EXPECT_EQ(answer.status, 503u);
    EXPECT_EQ(ask(*site, "GET /docs/a.txt").status, 200u) << "and it recovers";
}

}  // namespace
}  // namespace weir::site

#include <gmock/gmock.h>

#include <sstream>

#include "unit/site/every_answer.h"
#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

/// The effect of rules on the answers of a site.
class SiteFields : public SiteTest {
   protected:
    void SetUp() override { write_for_every_answer(tree); }
};

TEST_F(SiteFields, OfARuleReachEveryAnswer) {
    const auto site =
        open({.listing = true, .fields = {{.glob = "/**", .name = "X-A", .value = "1"}}});
    for (const auto& [line, field, status] : every_answer) {
        const auto answer = ask(*site, line, {field});
        EXPECT_EQ(answer.status, status) << line;
        EXPECT_EQ(answer.field("X-A"), "1") << line << " " << status;
    }
}

TEST_F(SiteFields, OfARuleReachTheSitesOwnErrorPage) {
    tree.write("404.html", "not here");
    const auto site = open({.fields = {{.glob = "/a/**", .name = "X-A", .value = "1"},
                                       {.glob = "404.html", .name = "X-B", .value = "2"},
                                       {.media_type = "text/html", .name = "X-C", .value = "3"}}});
    const auto answer = ask(*site, "GET /a/missing");
    EXPECT_EQ(answer.body, "not here");
    EXPECT_EQ(answer.field("X-A"), "1") << "by the path that was asked for";
    EXPECT_FALSE(answer.field("X-B")) << "not by the page's own";
    EXPECT_EQ(answer.field("X-C"), "3") << "by what the content is";
    EXPECT_EQ(answer.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
}

TEST_F(SiteFields, OfARuleMatchTheDecodedPath) {
    const auto site = open({.fields = {{.glob = "/a b", .name = "X-A", .value = "1"}}});
    EXPECT_EQ(ask(*site, "GET /x/../a%20b").field("X-A"), "1");
    EXPECT_FALSE(ask(*site, "GET /a%20c").field("X-A"));
}

TEST_F(SiteFields, OfARuleForAMediaTypeReachNoAnswerWithoutContent) {
    const auto site = open({.fields = {{.media_type = "text/*", .name = "X-A", .value = "1"}}});
    EXPECT_EQ(ask(*site, "GET /a.txt").field("X-A"), "1");
    EXPECT_EQ(ask(*site, "GET /missing").field("X-A"), "1") << "its page is HTML";
    EXPECT_FALSE(ask(*site, "OPTIONS /a.txt").field("X-A"));
}

TEST_F(SiteFields, ThatDescribeAFileAreNotThoseOfAnError) {
    const auto site =
        open({.fields = {{.glob = "*.css", .name = "Content-Type", .value = "text/css"},
                         {.glob = "*.css", .name = "Content-Disposition", .value = "attachment"}}});
    tree.write("a.css", "x");
    EXPECT_EQ(ask(*site, "GET /a.css").field("Content-Disposition"), "attachment");
    const auto missing = ask(*site, "GET /b.css");
    EXPECT_EQ(missing.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_FALSE(missing.field("Content-Disposition"));
}

TEST_F(SiteFields, PagesAreAskedForEachTime) {
    for (const auto* const name : {"index.html", "a.htm", "a.xhtml", "a.page", "a.css",
                                   "app.3f9a2c1d.js", "kept.html", "bare.html", "404.html"})
        tree.write(name, "x");
    const auto site =
        open({.media_types = {{.glob = "*.page", .media_type = "text/html; charset=utf-8"}},
              .fields = {{.glob = "kept.*", .name = "Cache-Control", .value = "max-age=60"},
                         {.glob = "bare.*", .name = "Cache-Control"}}});
    const auto control = [&](const std::string& path, std::vector<std::string> fields = {}) {
        return ask(*site, "GET " + path, fields).field("Cache-Control").value_or("none");
    };
    for (const auto* const path : {"/", "/index.html", "/a.htm", "/a.xhtml", "/a.page"}) {
        EXPECT_EQ(control(path), "no-cache") << path;
        EXPECT_EQ(control(path, {"If-None-Match: *"}), "no-cache") << path;
        EXPECT_EQ(control(path, {"Range: bytes=0-0"}), "no-cache") << path;
    }
    EXPECT_EQ(control("/kept.html"), "max-age=60");
    for (const auto* const path : {"/a.css", "/app.3f9a2c1d.js", "/bare.html", "/missing"})
        EXPECT_EQ(control(path), "none") << path;
}

TEST_F(SiteFields, ForWhatIsDeliveredReachFilesAndListingsAlone) {
    const auto site = open({.listing = true,
                            .fields = {{.name = "Cache-Control",
                                        .value = "max-age=31536000, immutable",
                                        .delivered_only = true}}});
    for (const auto& [line, field, status] : every_answer) {
        const auto answer = ask(*site, line, {field});
        const bool delivers = status == 200 || status == 206 || status == 304;
        EXPECT_EQ(answer.field("Cache-Control").value_or("none"),
                  delivers        ? "max-age=31536000, immutable"
                  : status == 301 ? "no-cache"
                                  : "none")
            << line << " " << status;
    }
}

TEST_F(SiteFields, VaryKeepsWhatTheSiteSays) {
    tree.write("b.txt", "text");
    tree.write("b.txt.gz", "text");
    const auto site = open(
        {.listing = true,
         .fields = {{.glob = "/**", .name = "Vary", .value = "Accept-Language, accept-encoding"}}});
    EXPECT_EQ(ask(*site, "GET /a.txt").field("Vary"), "Accept-Language, accept-encoding");
    EXPECT_EQ(ask(*site, "GET /b.txt").field("Vary"), "Accept-Encoding, Accept-Language");
    EXPECT_EQ(ask(*site, "GET /b.txt", {"If-None-Match: *"}).field("Vary"),
              "Accept-Encoding, Accept-Language");
    EXPECT_EQ(ask(*site, "GET /docs/").field("Vary"), "Accept, Accept-Language, accept-encoding");
    EXPECT_EQ(ask(*site, "GET /missing").field("Vary"), "Accept-Language, accept-encoding");
}

std::string links_in(const TestAnswer& answer) {
    std::string links;
    std::istringstream lines{answer.fields};
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("Link: ")) links += line.substr(6, line.size() - 7) + "|";
    return links;
}

TEST_F(SiteFields, LinksAreAddedToThoseOfAListing) {
    tree.write("files/b.txt", "x");
    tree.write("files/c.txt", "x");
    const std::string style = "</a,B.css>; rel=preload", icon = "</a,b.css>; rel=preload";
    const auto site = open({.listing = true,
                            .listing_entries_max = 1,
                            .fields = {{.name = "Link", .value = style},
                                       {.name = "link", .value = style},
                                       {.name = "Link", .value = icon},
                                       {.glob = "/files/b.txt", .name = "Link", .value = ""}}});
    const std::string own = "<?page=2>; rel=\"next\", <?page=2>; rel=\"last\"|";
    const auto listing = ask(*site, "GET /files/");
    EXPECT_EQ(links_in(listing), own + style + "|" + icon + "|");
    EXPECT_EQ(links_in(ask(*site, "GET /files/", {"If-None-Match: *"})), links_in(listing));
    for (const char* const line : {"GET /a.txt", "GET /missing", "OPTIONS /a.txt"})
        EXPECT_EQ(links_in(ask(*site, line)), style + "|" + icon + "|") << line;
    EXPECT_EQ(links_in(ask(*site, "GET /files/b.txt")), "");
}

TEST_F(SiteFields, OfAnErrorPageInSeveralCodingsVary) {
    tree.write("404.html", "not here");
    tree.write("404.html.gz", "zipped");
    const auto site = open();
    const auto zipped = ask(*site, "GET /missing", {"Accept-Encoding: gzip"});
    EXPECT_EQ(zipped.body, "zipped");
    EXPECT_EQ(zipped.field("Content-Encoding"), "gzip");
    EXPECT_EQ(zipped.field("Vary"), "Accept-Encoding");
    EXPECT_EQ(ask(*site, "GET /missing").field("Vary"), "Accept-Encoding");
}

}  // namespace
}  // namespace weir::site

#include <utility>

#include "unit/site/site_fixture.h"

namespace weir::site {
namespace {

class SitePrecompressed : public SiteTest {
   protected:
    void SetUp() override {
        for (const auto* const name : {"app.js", "app.js.br", "app.js.zst", "app.js.gz"}) {
            tree.write(name, name);
            tree.set_modified(name, 784'111'777);
        }
    }
    static TestAnswer ask_for(Site& site, const std::string& codings,
                              std::vector<std::string> fields = {}) {
        fields.push_back("Accept-Encoding: " + codings);
        return ask(site, "GET /app.js", fields);
    }
};

TEST_F(SitePrecompressed, TheSidecarThatIsAccepted) {
    const auto site = open();
    const auto brotli = ask_for(*site, "gzip, deflate, br, zstd");
    EXPECT_EQ(brotli.body, "app.js.br");
    EXPECT_EQ(brotli.field("Content-Encoding"), "br");
    EXPECT_EQ(brotli.field("Content-Type"), "text/javascript; charset=utf-8") << "the original's";
    EXPECT_EQ(ask_for(*site, "zstd").field("Content-Encoding"), "zstd");
    EXPECT_EQ(ask_for(*site, "gzip").field("Content-Encoding"), "gzip");
    EXPECT_EQ(ask_for(*site, "gzip, br;q=0").body, "app.js.gz");
    const auto plain = ask(*site, "GET /app.js");
    EXPECT_EQ(plain.body, "app.js");
    EXPECT_FALSE(plain.field("Content-Encoding"));
}

TEST_F(SitePrecompressed, FilesOfSomeFoldersStandForThemselves) {
    for (const char* const name : {"in/a.js", "in/a.js.gz", "in/sub/a.js", "in/sub/a.js.gz",
                                   "inside/a.js", "inside/a.js.gz"})
        tree.write(name, name);
    const auto site = open({.precompressed_not_in = {"in"}});
    for (int cached = 0; cached < 2; ++cached)
        for (const char* const path : {"/in/a.js", "/in/sub/a.js"}) {
            const auto answer = ask(*site, "GET " + std::string{path}, {"Accept-Encoding: gzip"});
            EXPECT_EQ("/" + answer.body, path);
            EXPECT_FALSE(answer.field("Content-Encoding"));
            EXPECT_FALSE(answer.field("Vary"));
        }
    EXPECT_EQ(ask(*site, "GET /inside/a.js", {"Accept-Encoding: gzip"}).body, "inside/a.js.gz");
    EXPECT_EQ(ask_for(*site, "gzip").body, "app.js.gz");
}

TEST_F(SitePrecompressed, EveryAnswerVaries) {
    const auto site = open();
    const auto plain = settled(*site, "GET /app.js");
    EXPECT_EQ(plain.field("Vary"), "Accept-Encoding");
    EXPECT_EQ(ask_for(*site, "br").field("Vary"), "Accept-Encoding");
    EXPECT_EQ(ask(*site, "GET /app.js", {"If-None-Match: *"}).field("Vary"), "Accept-Encoding");
}

TEST_F(SitePrecompressed, EachHasItsOwnTag) {
    const auto site = open();
    const std::string plain = *settled(*site, "GET /app.js").field("ETag");
    std::string brotli, before;  // written last, so it may be the last file to settle
    do {
        before = std::exchange(brotli, *ask_for(*site, "br").field("ETag"));
    } while (brotli != before);
    EXPECT_NE(plain, brotli);
    EXPECT_NE(brotli, *ask_for(*site, "gzip").field("ETag"));
    EXPECT_EQ(ask_for(*site, "br", {"If-None-Match: " + brotli}).status, 304u);
    EXPECT_EQ(ask_for(*site, "br", {"If-None-Match: " + plain}).status, 200u);
}

TEST_F(SitePrecompressed, OlderThanTheOriginalIsIgnored) {
    tree.set_modified("app.js", 784'111'779, 1);
    tree.set_modified("app.js.br", 784'111'780);
    tree.set_modified("app.js.zst", 784'111'777, 1);
    const auto site = open();
    EXPECT_EQ(ask_for(*site, "br").body, "app.js.br");
    EXPECT_EQ(ask_for(*site, "zstd").body, "app.js.zst") << "by two seconds: a checkout did it";
    EXPECT_EQ(ask_for(*site, "gzip").body, "app.js") << "and by a nanosecond more";
}

TEST_F(SitePrecompressed, OlderThanTheOriginalIsTold) {
    std::vector<std::string> told;
    const auto site = open({.cache = {.entries_max = 0}, .notice = [&](std::string_view sentence) {
                                told.emplace_back(sentence);
                            }});
    ask(*site, "GET /app.js");
    EXPECT_TRUE(told.empty());
    tree.set_modified("app.js", 784'111'780);
    for (int i = 0; i < 3; ++i) ask(*site, "GET /app.js");
    ASSERT_EQ(told.size(), 3u) << "once for each";
    EXPECT_EQ(told[2],
              "/app.js.gz is not sent, because it is older than /app.js; compress that again");
}

TEST_F(SitePrecompressed, AHundredAreTold) {
    std::vector<std::string> told;
    const auto site =
        open({.notice = [&](std::string_view sentence) { told.emplace_back(sentence); }});
    for (int i = 0; i < 105; ++i) {
        const std::string name = "a\n" + std::to_string(i) + ".js";
        tree.write(name, "x");
        tree.write(name + ".gz", "y");
        tree.set_modified(name + ".gz", 784'111'777);
        ask(*site, "GET /a%0A" + std::to_string(i) + ".js");
    }
    ASSERT_EQ(told.size(), 100u);
    EXPECT_TRUE(told[0].starts_with("/a%0A0.js.gz ")) << told[0];
    EXPECT_TRUE(told[99].ends_with("; weir names no further files that are too old")) << told[99];
}

TEST_F(SitePrecompressed, IdentityRefused) {
    tree.write("plain.txt", "x");
    const auto site = open();
    EXPECT_EQ(ask_for(*site, "identity;q=0, gzip;q=0.1").body, "app.js.gz");
    EXPECT_EQ(ask_for(*site, "identity;q=0").status, 406u);
    EXPECT_EQ(ask(*site, "GET /plain.txt", {"Accept-Encoding: *;q=0"}).status, 406u);
}

TEST_F(SitePrecompressed, RefusalsVaryAsTheFileDoes) {
    tree.write("plain.txt", "x");
    const auto site = open();
    EXPECT_EQ(ask_for(*site, "identity;q=0").field("Vary"), "Accept-Encoding");
    EXPECT_EQ(ask(*site, "GET /plain.txt", {"Accept-Encoding: *;q=0"}).field("Vary"),
              "Accept-Encoding");
    for (const auto& [line, status] :
         {std::pair{"If-Match: \"x\"", 412u}, {"Range: bytes=9999-", 416u}}) {
        const auto answer = ask_for(*site, "gzip", {line});
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.field("Vary"), "Accept-Encoding") << line;
        EXPECT_FALSE(ask(*site, "GET /plain.txt", {line}).field("Vary")) << line;
    }
    tree.write("406.html", "page");
    tree.write("406.html.gz", "coded page");
    EXPECT_EQ(ask_for(*site, "identity;q=0").field("Vary"), "Accept-Encoding");
}

TEST_F(SitePrecompressed, RangesAreOfTheCodedBytes) {
    const auto site = open();
    const auto range = ask_for(*site, "br", {"Range: bytes=7-8"});
    EXPECT_EQ(range.status, 206u);
    EXPECT_EQ(range.body, "br");
    EXPECT_EQ(range.field("Content-Encoding"), "br");
    EXPECT_EQ(ask_for(*site, "br", {"Range: bytes=0-0,2-2"}).status, 200u);
}

TEST_F(SitePrecompressed, CanBeSwitchedOff) {
    const auto answer = ask_for(*open({.precompressed = false}), "br");
    EXPECT_EQ(answer.body, "app.js");
    EXPECT_FALSE(answer.field("Vary"));
}

TEST_F(SitePrecompressed, ASidecarAloneIsAFileOfItsOwn) {
    const auto site = open();
    const auto answer = ask(*site, "GET /app.js.gz", {"Accept-Encoding: gzip"});
    EXPECT_EQ(answer.field("Content-Type"), "application/gzip");
    EXPECT_FALSE(answer.field("Content-Encoding"));
    tree.remove("app.js");
    expect_status(*site, "GET /app.js", 404);
}

TEST_F(SitePrecompressed, ASidecarThatComesLaterIsFound) {
    tree.remove("app.js.br");
    const auto site = open();
    settled(*site, "GET /app.js");
    EXPECT_EQ(ask_for(*site, "br, gzip;q=0.5").body, "app.js.gz");
    tree.write("app.js.br", "new");
    const auto end = std::chrono::steady_clock::now() + tests::time_limit;
    while (ask_for(*site, "br, gzip;q=0.5").body != "new")
        ASSERT_LT(std::chrono::steady_clock::now(), end);
}

}  // namespace
}  // namespace weir::site

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
    tree.set_modified("app.js", 784'111'777, 1);
    tree.set_modified("app.js.br", 784'111'778);
    const auto site = open();
    EXPECT_EQ(ask_for(*site, "br").body, "app.js.br");
    EXPECT_EQ(ask_for(*site, "gzip").body, "app.js") << "by a nanosecond";
}

TEST_F(SitePrecompressed, IdentityRefused) {
    tree.write("plain.txt", "x");
    const auto site = open();
    EXPECT_EQ(ask_for(*site, "identity;q=0, gzip;q=0.1").body, "app.js.gz");
    EXPECT_EQ(ask_for(*site, "identity;q=0").status, 406u);
    EXPECT_EQ(ask(*site, "GET /plain.txt", {"Accept-Encoding: *;q=0"}).status, 406u);
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
    ask_until(*site, "GET /app.js", [](const auto& gone) { return gone.status == 404; });
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

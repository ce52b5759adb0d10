// Which coding a client gets.

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include "unit/compress/compress_fixture.h"

namespace weir::compress {
namespace {

struct Negotiation : CompressTest {
    std::string coding_for(const std::string& accepted) {
        const Answer answer = get({{"Accept-Encoding", accepted}});
        EXPECT_EQ(answer.status, 200u) << accepted;
        EXPECT_EQ(answer.field("Vary"), "Accept-Encoding") << accepted;
        EXPECT_EQ(content_of(answer), content) << accepted;
        return std::string{answer.field("Content-Encoding")};
    }
};

TEST_F(Negotiation, FollowsTheClientAndThenTheServersOrder) {
    EXPECT_EQ(coding_for("gzip, deflate, br, zstd"), "zstd");
    EXPECT_EQ(coding_for("gzip, br"), "br");
    EXPECT_EQ(coding_for("gzip"), "gzip");
    EXPECT_EQ(coding_for("X-GZIP"), "gzip");
    EXPECT_EQ(coding_for("*"), "zstd");
    EXPECT_EQ(coding_for("gzip, zstd;q=0.9, br;q=0.8"), "gzip");
    EXPECT_EQ(coding_for("zstd;q=0, *;q=0.5"), "br");
    EXPECT_EQ(coding_for("gzip;q=0.001"), "gzip");
}

TEST_F(Negotiation, LeavesContentAsItIsForThoseThatWantIt) {
    EXPECT_EQ(coding_for("deflate"), "");
    EXPECT_EQ(coding_for(""), "");
    EXPECT_EQ(coding_for("identity"), "");
    EXPECT_EQ(coding_for("gzip;q=0"), "");
    EXPECT_EQ(coding_for("gzip;q=0.5, identity"), "");
    EXPECT_EQ(coding_for("gzip, identity"), "gzip") << "as good to the client, and smaller";
    const Answer answer = get({});
    EXPECT_EQ(answer.field("Content-Encoding"), "");
    EXPECT_EQ(answer.field("Vary"), "Accept-Encoding") << "another client gets another answer";
}

TEST_F(Negotiation, TakesTheCodingsOfTheOptionsAlone) {
    options.codings = {"gzip", "br"};
    EXPECT_EQ(coding_for("gzip, deflate, br, zstd"), "gzip");
    EXPECT_EQ(coding_for("br"), "br");
    EXPECT_EQ(coding_for("zstd"), "");
}

TEST_F(Negotiation, CompressesWhatItWouldNotForThoseThatRefuseTheContentAsItIs) {
    media_type = "image/png";
    content = "small";
    const Answer answer = get({{"Accept-Encoding", "gzip, identity;q=0"}});
    EXPECT_EQ(answer.field("Content-Encoding"), "gzip");
    EXPECT_EQ(content_of(answer), "small");
}

TEST_F(Negotiation, AsksTheHandlerAgainThatHasNoOtherCoding) {
    handler.answer = [this](const http::Request& request) {
        const auto accepted = request.field(http::FieldName::accept_encoding);
        return accepted && accepted->contains("identity;q=0")
                   ? http::error_response(http::Status::not_acceptable)
                   : page();
    };
    const Answer answer = get({{"Accept-Encoding", "gzip, identity;q=0"}});
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(content_of(answer), content);
    EXPECT_EQ(handler.calls, 2);
    EXPECT_EQ(get({{"Accept-Encoding", "identity;q=0"}}).status, 406u);
}

TEST_F(Negotiation, WrongOptionsAreSentences) {
    const auto fault = [this](Options wrong) {
        const auto made = around(handler, std::move(wrong));
        return made ? std::string{} : made.error();
    };
    EXPECT_EQ(fault({.codings = {"deflate"}}), "'deflate' is neither gzip, br nor zstd");
    EXPECT_EQ(fault({.level = 10}), "the level of compression is from 1 to 9");
    EXPECT_EQ(fault({.types = {"text"}}),
              "'text' is not a media type such as text/html, text/* or +json");
    EXPECT_EQ(available(), (std::vector<std::string>{"zstd", "br", "gzip"}));
}

TEST_F(Negotiation, EveryLevelGivesTheContent) {
    for (int level = 1; level <= 9; ++level)
        for (const std::string& coding : available()) {
            auto made = around(handler, {.codings = {coding}, .level = level});
            ASSERT_TRUE(made);
            web::Probe asked{**made};
            EXPECT_EQ(content_of(asked.get("/", {{"Accept-Encoding", coding}})), content);
        }
}

TEST(Libraries, HaveTheirNamesAndVersions) {
    const std::uint32_t brotli = ::BrotliDecoderVersion();
    const std::string with_dots = std::to_string(brotli >> 24) + '.' +
                                  std::to_string((brotli >> 12) % 4096) + '.' +
                                  std::to_string(brotli % 4096);
    const std::vector<std::string> names = libraries();
    ASSERT_GE(names.size(), 3U);
    EXPECT_EQ(names[0], std::string{"zstd "} + ::ZSTD_versionString());
    EXPECT_EQ(names[1], "brotli " + with_dots);
    EXPECT_EQ(names[2], std::string{"zlib "} + ::zlibVersion());
}

}  // namespace
}  // namespace weir::compress

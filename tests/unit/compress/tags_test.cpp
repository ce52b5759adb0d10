// Entity tags of compressed answers, and the conditions of requests that name them.

#include "compress/answer/tags.h"

#include "unit/compress/compress_fixture.h"
#include "weir/web/resource.h"
#include "weir/web/router.h"

namespace weir::compress {
namespace {

struct Tags : CompressTest {
    Tags() {
        tag = "\"v1\"";
        cache_control = "max-age=60";
    }
};

TEST_F(Tags, NameTheCoding) {
    EXPECT_EQ(coded_tag("\"v1\"", "gzip"), "\"v1-gzip\"");
    EXPECT_EQ(coded_tag("W/\"v1\"", "br"), "W/\"v1-br\"");
    EXPECT_EQ(get_gzip().field("ETag"), "\"v1-gzip\"");
    EXPECT_EQ(get({{"Accept-Encoding", "zstd"}}).field("ETag"), "\"v1-zstd\"");
    EXPECT_EQ(get({}).field("ETag"), "\"v1\"");
}

TEST_F(Tags, OfIfMatchAreGivenToTheHandlerAsItsOwn) {
    EXPECT_EQ(with_plain_tags("\"v1\""), "");
    EXPECT_EQ(with_plain_tags("*"), "");
    EXPECT_EQ(with_plain_tags("\"v1-gzip\""), "\"v1\", \"v1-gzip\"");
    EXPECT_EQ(with_plain_tags("\"a\", \"b-br\" , \"c,-zstd\""),
              "\"b\", \"c,\", \"a\", \"b-br\" , \"c,-zstd\"");
    EXPECT_EQ(with_plain_tags("W/\"v1-gzip\""), "") << "If-Match compares strongly";
    EXPECT_EQ(with_plain_tags("\"v1-gzip"), "");
    EXPECT_EQ(with_plain_tags("\"-gzip\""), "\"\", \"-gzip\"");
}

TEST_F(Tags, GetA304) {
    for (const char* const tags :
         {"\"v1-gzip\"", "W/\"v1-gzip\"", "\"x\", \"v1-gzip\"", "\"v1\", \"v1-gzip\""}) {
        const Answer answer = get_gzip({{"If-None-Match", tags}});
        EXPECT_EQ(answer.status, 304u) << tags;
        EXPECT_EQ(answer.field("ETag"), "\"v1-gzip\"");
        EXPECT_EQ(answer.field("Vary"), "Accept-Encoding");
        EXPECT_EQ(answer.field("Cache-Control"), "max-age=60");
        EXPECT_EQ(answer.field("Content-Encoding"), "");
        EXPECT_EQ(answer.field("Content-Type"), "");
        EXPECT_EQ(answer.content, "");
    }
    EXPECT_EQ(probe()
                  .ask("HEAD", "/", {{"Accept-Encoding", "gzip"}, {"If-None-Match", "\"v1-gzip\""}})
                  .status,
              304u);
    EXPECT_EQ(compressor().counts().compressed, 0u) << "nothing had to be compressed for that";
}

TEST_F(Tags, OfAnotherCodingOrStateGetThe200) {
    EXPECT_EQ(get_gzip({{"If-None-Match", "\"v1-br\""}}).status, 200u);
    EXPECT_EQ(get_gzip({{"If-None-Match", "\"v0-gzip\""}}).status, 200u);
    EXPECT_EQ(get({{"If-None-Match", "\"v1-gzip\""}}).status, 200u);
    tag.clear();
    EXPECT_EQ(get_gzip({{"If-None-Match", "\"-gzip\""}}).status, 200u);
}

TEST_F(Tags, OfWeakStatesStayWeak) {
    tag = "W/\"v1\"";
    EXPECT_EQ(get_gzip().field("ETag"), "W/\"v1-gzip\"");
    EXPECT_EQ(get_gzip({{"If-None-Match", "W/\"v1-gzip\""}}).status, 304u);
    EXPECT_EQ(compressor().counts().cached, 0u) << "a weak tag may stand for several contents";
}

/// A resource that evaluates conditions and ranges itself.
struct TagsOfAResource : CompressTest {
    TagsOfAResource() {
        router.get("/", [this](const web::Call& call) {
            return web::resource(call, "text/plain", {.entity_tag = "\"v1\""}, content);
        });
        router.put("/", [](const web::Call& call) {
            if (auto unmet = web::unmet_condition(call, {.entity_tag = "\"v1\""}))
                return *std::move(unmet);
            return web::text("stored");
        });
        handler.answer = [this](const http::Request& request) { return router.handle(request); };
    }
    web::Router router;
};

TEST_F(TagsOfAResource, IfMatchKnowsThem) {
    for (const char* const given : {"\"v1\"", "\"v1-gzip\"", "\"x\", \"v1-br\""}) {
        EXPECT_EQ(get_gzip({{"If-Match", given}}).status, 200u) << given;
        EXPECT_EQ(probe().ask("PUT", "/", {{"If-Match", given}}, "new").content, "stored") << given;
    }
    for (const char* const given : {"\"v0-gzip\"", "\"v1-deflate\"", "W/\"v1-gzip\""}) {
        EXPECT_EQ(get_gzip({{"If-Match", given}}).status, 412u) << given;
        EXPECT_EQ(probe().ask("PUT", "/", {{"If-Match", given}}, "new").status, 412u) << given;
    }
}

TEST_F(TagsOfAResource, IfNoneMatchKnowsThem) {
    EXPECT_EQ(get_gzip({{"If-None-Match", "\"v1-gzip\""}}).status, 304u);
    const Answer plain = get_gzip({{"If-None-Match", "\"v1\""}});
    EXPECT_EQ(plain.status, 304u) << "the client has the content, uncompressed";
    EXPECT_EQ(plain.field("ETag"), "\"v1\"");
}

/// A download that began compressed must not go on with bytes of the content as it is.
TEST_F(TagsOfAResource, IfRangeWithThemGetsTheWhole) {
    const Answer whole = get_gzip({{"Range", "bytes=10-19"}, {"If-Range", "\"v1-gzip\""}});
    EXPECT_EQ(whole.status, 200u);
    EXPECT_EQ(whole.content, content);
    const Answer part = get_gzip({{"Range", "bytes=10-19"}, {"If-Range", "\"v1\""}});
    EXPECT_EQ(part.status, 206u);
    EXPECT_EQ(part.content, content.substr(10, 10));
    EXPECT_EQ(part.field("ETag"), "\"v1\"");
}

}  // namespace
}  // namespace weir::compress

// What is kept of compressed contents, and for whom.

#include "compress/cache/body_cache.h"

#include "unit/compress/compress_fixture.h"

namespace weir::compress {
namespace {

std::shared_ptr<const Body> body_of(std::size_t bytes) {
    auto body = std::make_shared<Body>();
    body->bytes.assign(bytes, 'x');
    return body;
}

TEST(BodyCache, KeepsWhatWasUsedWithinItsLimit) {
    BodyCache cache{10'000};
    cache.insert("a", body_of(4000));
    cache.insert("b", body_of(4000));
    ASSERT_TRUE(cache.find("a"));
    cache.insert("c", body_of(4000));
    EXPECT_TRUE(cache.find("a"));
    EXPECT_FALSE(cache.find("b"));
    EXPECT_TRUE(cache.find("c"));
    EXPECT_EQ(cache.usage().entries, 2u);
    EXPECT_EQ(cache.usage().evicted, 1u);
    EXPECT_LE(cache.usage().bytes, 10'000u);
    cache.insert("d", body_of(20'000));
    EXPECT_FALSE(cache.find("d"));
    EXPECT_EQ(cache.usage().entries, 2u);
}

TEST(BodyCache, NeverGrowsBeyondItsLimit) {
    BodyCache cache{50'000};
    for (std::size_t i = 0; i < 1000; ++i) {
        cache.insert(std::to_string(i % 70), body_of(i * 37 % 9000));
        if (i % 3 == 0) cache.find(std::to_string(i % 7));
        ASSERT_LE(cache.usage().bytes, 50'000u);
    }
    EXPECT_GT(cache.usage().entries, 3u);
}

TEST(BodyCache, ReplacesAndTellsThoseThatKeepOne) {
    BodyCache cache{10'000};
    const auto old = body_of(100);
    cache.insert("a", old);
    EXPECT_TRUE(old->is_cached);
    cache.insert("a", body_of(200));
    EXPECT_FALSE(old->is_cached);
    EXPECT_EQ(cache.find("a")->bytes.size(), 200u);
    EXPECT_EQ(cache.usage().entries, 1u);
}

struct Cached : CompressTest {
    Cached() { tag = "\"v1\""; }
    std::uint64_t compressed() { return compressor().counts().compressed; }
};

TEST_F(Cached, IsCompressedOnce) {
    for (const std::size_t size : {std::size_t{4000}, std::size_t{400'000}}) {
        content = text_of(size);
        tag = "\"" + std::to_string(size) + "\"";
        const auto before = compressed();
        const Answer first = get_gzip();
        const Answer second = get_gzip();
        EXPECT_EQ(compressed(), before + 1);
        EXPECT_EQ(content_of(first), content);
        EXPECT_EQ(content_of(second), content);
        EXPECT_EQ(second.field("Content-Length"), std::to_string(second.content.size()));
        EXPECT_EQ(second.field("ETag"), first.field("ETag"));
    }
    EXPECT_EQ(compressor().counts().cached, 2u);
}

TEST_F(Cached, ANewStateIsCompressedAnew) {
    get_gzip();
    tag = "\"v2\"";
    content = text_of(5000);
    EXPECT_EQ(content_of(get_gzip()), content);
    EXPECT_EQ(compressed(), 2u);
}

TEST_F(Cached, IsOneForEachCodingUrlAndHost) {
    get_gzip();
    get({{"Accept-Encoding", "br"}});
    get_gzip({}, "/?page=2");
    get_gzip({{"Host", "b.example"}});
    EXPECT_EQ(compressed(), 4u);
    get_gzip({{"Host", "b.example"}}, "/");
    EXPECT_EQ(compressed(), 4u);
}

TEST_F(Cached, IsOneForAllWhereTagsAreUnique) {
    options.tags_are_unique = true;
    get_gzip();
    get_gzip({}, "/?page=2");
    get_gzip({{"Host", "b.example"}, {"Cookie", "a=b"}});
    EXPECT_EQ(compressed(), 1u);
}

TEST_F(Cached, IsNothingOfAUsersOwn) {
    for (const auto& [name, value] : Fields{{"Cookie", "a=b"}, {"Authorization", "Basic YTpi"}}) {
        get_gzip({{name, value}});
        get_gzip({{name, value}});
    }
    EXPECT_EQ(compressed(), 4u);
    EXPECT_EQ(compressor().counts().cached, 0u);
    cache_control = "public, max-age=60";
    get_gzip({{"Cookie", "a=b"}});
    get_gzip({{"Cookie", "a=b"}});
    EXPECT_EQ(compressed(), 5u);
    for (const char* const control : {"private", "no-store"}) {
        cache_control = control;
        tag = std::string{"\""} + control + "\"";
        get_gzip();
        EXPECT_EQ(compressor().counts().cached, 1u) << control;
    }
}

TEST_F(Cached, IsNothingWithoutATagOrRoom) {
    tag.clear();
    get_gzip();
    EXPECT_EQ(compressor().counts().cached, 0u);
}

TEST_F(Cached, IsNothingWithoutTheCache) {
    options.cache_bytes = 0;
    get_gzip();
    EXPECT_EQ(content_of(get_gzip()), content);
    EXPECT_EQ(compressed(), 2u);
    EXPECT_EQ(compressor().counts().cached, 0u);
}

TEST_F(Cached, IsNothingThatIsTooLong) {
    options.cache_bytes = 40'000;
    content = text_of(200'000);  // a quarter of that, compressed
    get_gzip();
    EXPECT_EQ(content_of(get_gzip()), content);
    EXPECT_EQ(compressed(), 2u);
    EXPECT_EQ(compressor().counts().cached, 0u);
}

/// Its fields are borrowed and the same for each answer, as a site's are.
struct FromTheFront : CompressTest {
    FromTheFront() {
        options.tags_are_unique = true;
        handler.answer = [this](const http::Request&) {
            http::Response response;
            response.prepared_fields(prepared).content_view(content);
            return response;
        };
    }
    std::string prepared = "ETag: \"v1\"\r\nContent-Type: text/html\r\nAccept-Ranges: bytes\r\n";
};

TEST_F(FromTheFront, AnswersAreTheSame) {
    const Answer first = get_gzip();
    for (int i = 0; i < 3; ++i) {
        const Answer again = get_gzip();
        EXPECT_EQ(again.fields, first.fields);
        EXPECT_EQ(again.content, first.content);
    }
    EXPECT_EQ(get({{"Accept-Encoding", "br"}}).field("Content-Encoding"), "br");
    EXPECT_EQ(get({}).field("Content-Encoding"), "");
    EXPECT_EQ(get({{"Accept-Encoding", "gzip"}, {"Accept-Encoding", "gzip;q=0"}})
                  .field("Content-Encoding"),
              "");
    EXPECT_EQ(get_gzip({{"If-None-Match", "\"v1-gzip\""}}).status, 304u);
    EXPECT_EQ(get_gzip({{"Range", "bytes=0-1"}}).field("Content-Encoding"), "");
    EXPECT_EQ(probe().ask("HEAD", "/", {{"Accept-Encoding", "gzip"}}).field("ETag"), "\"v1-gzip\"");
}

TEST_F(FromTheFront, ANewStateIsSeen) {
    get_gzip();
    get_gzip();
    prepared = "ETag: \"v2\"\r\nContent-Type: text/html\r\n";
    content = text_of(7000);
    EXPECT_EQ(content_of(get_gzip()), content);
    EXPECT_EQ(get_gzip().field("ETag"), "\"v2-gzip\"");
}

TEST_F(FromTheFront, AnotherCompressorHasItsOwn) {
    get_gzip();
    get_gzip();
    Written other;
    const std::string others = text_of(3000) + "other";
    other.answer = [&](const http::Request&) {
        http::Response response;
        response.prepared_fields(prepared).content_view(others);
        return response;
    };
    const auto second = around(other, options);
    ASSERT_TRUE(second);
    web::Probe asked{**second};
    EXPECT_EQ(content_of(asked.get("/", {{"Accept-Encoding", "gzip"}})), others);
}

}  // namespace
}  // namespace weir::compress

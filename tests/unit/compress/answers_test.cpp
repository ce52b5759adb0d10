// Which answers are compressed, and what their fields say.

#include "unit/compress/compress_fixture.h"

namespace weir::compress {
namespace {

struct Answers : CompressTest {
    /// That the answer to a client of gzip is the handler's own.
    void expect_untouched(const std::string& why) {
        const Answer answer = get_gzip();
        EXPECT_EQ(answer.content, content) << why;
        EXPECT_EQ(answer.field("Vary"), "") << why;
    }
    /// Clients that refuse uncompressed content get it compressed.
    void expect_uncompressed(const std::string& why) {
        const Answer answer = get_gzip();
        EXPECT_EQ(answer.content, content) << why;
        EXPECT_EQ(answer.field("Vary"), "Accept-Encoding") << why;
        const Answer coded = get({{"Accept-Encoding", "gzip, identity;q=0"}});
        EXPECT_EQ(content_of(coded), content) << why;
        EXPECT_EQ(coded.field("Vary"), "Accept-Encoding") << why;
    }
};

TEST_F(Answers, AreCompressedByType) {
    for (const char* const type : {"text/html", "TEXT/CSS", "text/plain; charset=utf-8",
                                   "application/json", "application/problem+json", "image/svg+xml",
                                   "application/wasm", "text/javascript", "text/event-stream"}) {
        media_type = type;
        EXPECT_EQ(get_gzip().field("Content-Encoding"), "gzip") << type;
    }
    for (const char* const type : {"image/png", "video/mp4", "application/zip", "image/x-icon",
                                   "application/octet-stream", "font/woff2"}) {
        media_type = type;
        expect_uncompressed(type);
    }
}

TEST_F(Answers, AreCompressedByTheTypesOfTheOptions) {
    options.types = {"image/*", "text/event-stream", "+json"};
    for (const char* const type : {"image/png", "text/event-stream", "application/a+json"}) {
        media_type = type;
        EXPECT_EQ(get_gzip().field("Content-Encoding"), "gzip") << type;
    }
    media_type = "text/html";
    expect_uncompressed("not named");
}

// At once up to 4, 16 or 32 KB, and in pieces beyond; gzip by one library or another.
TEST_F(Answers, AreWholeOfEachSize) {
    for (const char* const coding : {"gzip", "br", "zstd"})
        for (const std::size_t size : {1'024, 4'096, 4'097, 16'384, 16'385, 32'768, 32'769})
            for (const int level : {0, 1, 9}) {
                options.level = level;
                content = text_of(size);
                const Answer answer = get({{"Accept-Encoding", coding}});
                EXPECT_EQ(answer.field("Content-Encoding"), coding);
                EXPECT_TRUE(content_of(answer) == content) << coding << ' ' << size;
            }
}

TEST_F(Answers, AreCompressedFromASizeOn) {
    options.size_min = 2000;
    content = text_of(1999);
    expect_uncompressed("small");
    content = text_of(2000);
    EXPECT_EQ(get_gzip().field("Content-Encoding"), "gzip");
    content.clear();
    expect_untouched("empty");
}

TEST_F(Answers, AreLeftAloneIfTheHandlerSaysSo) {
    cache_control = "max-age=60, No-Transform";
    expect_untouched("no-transform");
    cache_control.clear();
    for (const char* const name : {"Content-Encoding", "Content-Digest", "Repr-Digest", "Digest"}) {
        handler.answer = [&](const http::Request&) {
            http::Response response = page();
            response.add(name, "x");
            return response;
        };
        expect_untouched(name);
    }
}

TEST_F(Answers, KeepTheirFieldsAndSayNothingOfRanges) {
    handler.answer = [this](const http::Request&) {
        http::Response response = page();
        response.prepared_fields("X-A: 1\r\nAccept-Ranges: bytes\r\nVary: Origin\r\n");
        response.add("X-B", "a=b").status(http::Status::created).close();
        return response;
    };
    const Answer answer = get_gzip();
    EXPECT_EQ(answer.status, 201u);
    EXPECT_EQ(answer.field("X-A"), "1");
    EXPECT_EQ(answer.field("X-B"), "a=b");
    EXPECT_EQ(answer.field("Accept-Ranges"), "");
    EXPECT_EQ(answer.field("Connection"), "close");
    EXPECT_EQ(answer.field("Content-Length"), std::to_string(answer.content.size()));
    int varies = 0;
    for (const auto& [name, value] : answer.fields)
        if (name == "Vary") varies += value == "Origin" || value == "Accept-Encoding" ? 1 : 10;
    EXPECT_EQ(varies, 2);
}

/// BREACH: who sets a cookie may have a secret in the page, too.
TEST_F(Answers, ThatSetACookieAreLeftAloneUnlessAskedFor) {
    handler.answer = [this](const http::Request&) {
        http::Response response = page();
        response.add("Set-Cookie", "a=b").add("ETag", "\"v1\"");
        return response;
    };
    expect_untouched("by default");
    EXPECT_EQ(get({{"Accept-Encoding", "gzip, identity;q=0"}}).field("Content-Encoding"), "");
    options.with_cookies = true;
    restart();
    EXPECT_EQ(content_of(get_gzip()), content);
    EXPECT_EQ(get_gzip().field("Content-Encoding"), "gzip");
    EXPECT_EQ(compressor().counts().cached, 0u);
}

TEST_F(Answers, SayVaryOnce) {
    handler.answer = [this](const http::Request&) {
        http::Response response = page();
        response.add("Vary", "Accept, accept-encoding");
        return response;
    };
    EXPECT_EQ(get_gzip().field("Vary"), "Accept, accept-encoding");
    EXPECT_EQ(get({}).field("Vary"), "Accept, accept-encoding");
}

TEST_F(Answers, ToRangesAreLeftAlone) {
    const Answer whole = get_gzip({{"Range", "bytes=0-9"}});
    EXPECT_EQ(whole.content, content) << "this handler knows no ranges";
    EXPECT_EQ(whole.field("Vary"), "Accept-Encoding");
    handler.answer = [this](const http::Request&) {
        http::Response response = page();
        response.status(http::Status::partial_content).add("Content-Range", "bytes 0-3999/9000");
        return response;
    };
    const Answer part = get_gzip();
    EXPECT_EQ(part.content, content);
    EXPECT_EQ(part.field("Vary"), "Accept-Encoding");
}

/// It would be of the content that the client refuses (RFC 9110 12.5.3).
TEST_F(Answers, HaveNoRangeForThoseThatRefuseTheContentAsItIs) {
    handler.answer = [this](const http::Request& request) {
        const bool ranged = request.field(http::FieldName::range).value_or("").starts_with("bytes");
        http::Response response = page();
        if (ranged) response.status(http::Status::partial_content).content(content.substr(0, 10));
        return response;
    };
    Fields fields{{"Range", "bytes=0-9"}, {"Range", "bytes=1-2"}};
    EXPECT_EQ(get_gzip(fields).status, 206u);
    fields.emplace_back("Accept-Encoding", "gzip, identity;q=0");
    const Answer answer = get(fields);
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Content-Encoding"), "gzip");
    EXPECT_EQ(content_of(answer), content);
}

TEST_F(Answers, WithoutContentStayWithout) {
    for (const auto status : {http::Status::no_content, http::Status::not_modified}) {
        handler.answer = [&](const http::Request&) {
            http::Response response{status};
            response.add("ETag", "\"v1\"");
            return response;
        };
        const Answer answer = get_gzip();
        EXPECT_EQ(answer.field("Content-Encoding"), "");
        EXPECT_EQ(answer.field("ETag"), "\"v1\"");
        EXPECT_EQ(answer.field("Vary"),
                  status == http::Status::not_modified ? "Accept-Encoding" : "");
    }
}

TEST_F(Answers, ToHeadSayWhatThoseToGetDo) {
    tag = "\"v1\"";
    for (const std::size_t size : {std::size_t{100}, std::size_t{4000}, std::size_t{300'000}}) {
        content = text_of(size);
        tag = "\"" + std::to_string(size) + "\"";
        for (const char* const accepted : {"gzip", "identity"})
            for (int times = 0; times < 2; ++times) {  // before and after it is in the cache
                const Answer head = probe().ask("HEAD", "/", {{"Accept-Encoding", accepted}});
                const Answer got = get({{"Accept-Encoding", accepted}});
                EXPECT_EQ(head.content, "");
                for (const char* const name : {"ETag", "Content-Encoding", "Vary", "Content-Type"})
                    EXPECT_EQ(head.field(name), got.field(name)) << name << size << accepted;
                if (!head.field("Content-Length").empty()) {
                    EXPECT_EQ(head.field("Content-Length"), got.field("Content-Length"));
                }
                EXPECT_EQ(content_of(got), content);
            }
    }
}

TEST_F(Answers, ToPostAreCompressedToo) {
    handler.answer = [this](const http::Request& request) -> http::Reply {
        if (request.content_pending()) return http::ReadContent{};
        return page();
    };
    const Answer answer = probe().post("/", "a=b", "text/plain", {{"Accept-Encoding", "br"}});
    EXPECT_EQ(answer.field("Content-Encoding"), "br");
    EXPECT_EQ(content_of(answer), content);
    EXPECT_EQ(compressor().counts().cached, 0u);
}

TEST_F(Answers, ThatDoNotBecomeSmallerAreSentAsTheyAre) {
    for (const std::size_t size : {std::size_t{3000}, std::size_t{200'000}}) {
        content = noise_of(size);
        tag = "\"" + std::to_string(size) + "\"";
        get_gzip();
        const Answer answer = get_gzip();  // a stream knows only at its end
        EXPECT_EQ(answer.field("Content-Encoding"), "");
        EXPECT_EQ(answer.field("ETag"), tag);
        EXPECT_EQ(answer.content, content);
        const Answer forced = get({{"Accept-Encoding", "gzip, identity;q=0"}});
        EXPECT_EQ(forced.field("Content-Encoding"), "gzip");
        EXPECT_EQ(content_of(forced), content);
    }
}

}  // namespace
}  // namespace weir::compress

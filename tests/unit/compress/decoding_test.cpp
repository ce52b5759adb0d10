// Content of other servers that is decoded.

#include <gtest/gtest.h>
#include <zstd.h>

#include <memory>
#include <optional>
#include <string>

#include "weir/client/client.h"
#include "weir/compress/compress.h"
#include "weir/web/probe.h"
#include "weir/web/response.h"
#include "weir/web/router.h"
#include "weir/web/stream.h"

namespace weir::compress {
namespace {

using Result = web::ContentDecoder::Result;

/// Content that compresses well, but not to nothing.
std::string content_of(std::size_t size) {
    std::string content;
    for (unsigned i = 0; content.size() < size; ++i)
        content += "line " + std::to_string(i * i) + "\n";
    content.resize(size);
    return content;
}

/// The content as a server with this coding sends it.
std::string encoded(const std::string& coding, const std::string& content) {
    web::Router router;
    router.use(web::compression({.size_min = 0}));
    router.get("/", [&content](const web::Call&) { return web::text(content); });
    web::Probe probe{router};
    const auto answer = probe.get("/", {{"Accept-Encoding", coding}});
    EXPECT_EQ(answer.field("Content-Encoding"), coding);
    return answer.content;
}

struct Decoded {
    std::string content{};
    Result result = Result::wants_input;
};

/// Gives the bytes in two parts, and takes the content in pieces of this size.
Decoded decoded(const std::string& coding, std::string_view bytes, std::size_t split,
                std::size_t piece_max) {
    const auto decoder = decoding()->decoder(coding);
    Decoded all;
    for (std::string_view part : {bytes.substr(0, split), bytes.substr(split)}) {
        if (part.empty()) continue;
        do {
            std::string piece;
            all.result = decoder->decode(part, piece, piece_max);
            EXPECT_LE(piece.size(), piece_max);
            all.content += piece;
        } while (all.result == Result::has_more);
        if (all.result == Result::malformed) break;
    }
    return all;
}

class Decoders : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Codings, Decoders, testing::Values("gzip", "zstd"));

TEST_P(Decoders, ReadContentInPartsOfAnySize) {
    const std::string content = content_of(3'000);
    const std::string bytes = encoded(GetParam(), content);
    for (std::size_t split = 0; split <= bytes.size(); ++split) {
        const auto all = decoded(GetParam(), bytes, split, 100);
        ASSERT_EQ(all.content, content) << split;
        ASSERT_EQ(all.result, Result::ended) << split;
    }
}

TEST_P(Decoders, WaitForTheEnd) {
    const std::string bytes = encoded(GetParam(), content_of(3'000));
    for (std::size_t size = 0; size < bytes.size(); ++size)
        ASSERT_EQ(decoded(GetParam(), std::string_view{bytes}.substr(0, size), 0, 5'000).result,
                  Result::wants_input)
            << size;
}

TEST_P(Decoders, ReadOneContentBehindAnother) {
    const std::string content = content_of(300);
    const std::string one = encoded(GetParam(), content), two = one;
    for (std::size_t split = 0; split <= one.size() + two.size(); ++split) {
        const auto all = decoded(GetParam(), one + two, split, 100);
        ASSERT_EQ(all.content, content + content) << split;
        ASSERT_EQ(all.result, Result::ended) << split;
    }
}

TEST_P(Decoders, RefuseWhatIsNotCoded) {
    EXPECT_EQ(decoded(GetParam(), "no such bytes", 0, 100).result, Result::malformed);
}

/// RFC 9659 3: a client of HTTP needs a window of 8 MB at most.
TEST(DecoderOfZstandard, TakesNoWindowOfMoreThanEightMegabytes) {
    const std::string content = content_of(10'000);
    for (const int window_log : {23, 24}) {
        const std::unique_ptr<ZSTD_CCtx, decltype(&::ZSTD_freeCCtx)> context{::ZSTD_createCCtx(),
                                                                             ::ZSTD_freeCCtx};
        ::ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_log);
        std::string bytes(content.size(), '\0');
        ZSTD_inBuffer in{content.data(), content.size(), 0};
        ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
        // Without a size at the start, the head has the window.
        ::ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_flush);
        ::ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end);
        bytes.resize(out.pos);
        EXPECT_EQ(decoded("zstd", bytes, 0, 20'000).result,
                  window_log == 23 ? Result::ended : Result::malformed);
    }
}

TEST(Decoding, NamesItsCodings) {
    EXPECT_EQ(decoding()->codings(), "zstd, gzip");
    EXPECT_TRUE(decoding()->decoder("X-GZIP"));
    EXPECT_FALSE(decoding()->decoder("br"));
    EXPECT_FALSE(decoding()->decoder("gzip, gzip"));
}

// ---- a client that decodes ----

struct DecodingClient : testing::Test {
    DecodingClient() {
        other.get("/content", [this](const web::Call&) { return web::text(content); });
        other.get("/coding", [](const web::Call& call) {
            return web::text(std::string{call.field("Accept-Encoding").value_or("none")});
        });
        router.get("/{path}", [this](web::Call call) -> web::Task<web::Response> {
            web::ClientRequest request{"GET", "http://a/" + std::string{call.parameter("path")}};
            if (const auto own = call.query("own")) request.field("Accept-Encoding", *own);
            if (const auto range = call.query("range")) request.field("Range", *range);
            try {
                auto response = co_await client.send(std::move(request));
                coding = response.field("Content-Encoding");
                has_length = response.field("Content-Length").has_value();
                co_return web::text(co_await response.all());
            } catch (const web::ClientError& error) {
                reason = error.reason();
                throw;
            }
        });
        probe.play_other_servers(other);
    }

    std::string content = content_of(2'000'000);
    web::Router other;
    web::Client client{{.content_bytes_max = 3'000'000, .decoding = decoding()}};
    web::Router router;
    web::Probe probe{router};
    std::optional<std::string> coding{};
    bool has_length = false;
    std::optional<web::ClientError::Reason> reason{};
};

TEST_F(DecodingClient, ReadsCompressedContent) {
    other.use(web::compression());
    EXPECT_EQ(probe.get("/content").content, content);
    EXPECT_FALSE(coding);
    EXPECT_FALSE(has_length);
    EXPECT_EQ(probe.get("/coding").content, "zstd, gzip");
}

TEST_F(DecodingClient, ReadsContentWithoutACoding) {
    EXPECT_EQ(probe.get("/content").content, content);
    EXPECT_TRUE(has_length);
}

TEST_F(DecodingClient, LeavesACodingThatTheProgramAskedFor) {
    other.use(web::compression());
    EXPECT_LT(probe.get("/content?own=gzip").content.size(), content.size());
    EXPECT_EQ(coding, "gzip");
    EXPECT_EQ(probe.get("/coding?own=br").content, "br");
}

TEST_F(DecodingClient, AsksForNoCodingOfAPart) {
    EXPECT_EQ(probe.get("/coding?range=bytes=0-9").content, "none");
}

TEST_F(DecodingClient, LimitsTheDecodedContent) {
    content = std::string(50'000'000, 'a');  // some kilobytes on the wire
    other.use(web::compression());
    EXPECT_EQ(probe.get("/content").status, 502);
    EXPECT_EQ(reason, web::ClientError::Reason::too_large);
}

/// Answers with these bytes as gzip.
struct Coded final : http::Handler {
    http::Reply handle(const http::Request&) override {
        auto response = web::text(bytes);
        response.set("Content-Encoding", "gzip");
        return response;
    }
    std::string bytes{};
};

TEST_F(DecodingClient, RefusesContentThatIsCutOrWrong) {
    Coded coded;
    probe.play_other_servers(coded);
    const std::string whole = encoded("gzip", content_of(300));
    coded.bytes = whole;
    EXPECT_EQ(probe.get("/content").content, content_of(300));
    for (const std::string& bytes :
         {whole.substr(0, whole.size() - 1), std::string{"no gzip"}, whole + "more"}) {
        coded.bytes = bytes;
        reason.reset();
        EXPECT_EQ(probe.get("/content").status, 502);
        EXPECT_EQ(reason, web::ClientError::Reason::malformed);
    }
    coded.bytes.clear();
    EXPECT_EQ(probe.get("/content").content, "");
}

}  // namespace
}  // namespace weir::compress
